// Open MPI's collectives. What carries them is for whoever starts it: benchmarks/peers/bars forces
// UCX onto rc_verbs.

#include <mpi.h>

#include "benchmarks/peers/sweep.hpp"

namespace {

using railgauge::peers::Options;
using railgauge::peers::Work;

class MpiWork final : public Work {
 public:
  MpiWork(const std::string& collective, std::uint64_t bytes, int ranks)
      : collective_(collective),
        block_(static_cast<int>(bytes / static_cast<std::uint64_t>(ranks))),
        input_(collective == "all_gather" ? static_cast<std::size_t>(block_) : bytes),
        output_(bytes) {}

  std::span<std::byte> input() override { return input_; }
  std::span<std::byte> output() override { return output_; }

  void run() override {
    const MPI_Comm all = MPI_COMM_WORLD;
    if (collective_ == "all_reduce") {
      MPI_Allreduce(input_.data(), output_.data(), static_cast<int>(output_.size() / sizeof(float)),
                    MPI_FLOAT, MPI_SUM, all);
    } else if (collective_ == "all_gather") {
      MPI_Allgather(input_.data(), block_, MPI_BYTE, output_.data(), block_, MPI_BYTE, all);
    } else {
      MPI_Alltoall(input_.data(), block_, MPI_BYTE, output_.data(), block_, MPI_BYTE, all);
    }
  }

 private:
  std::string collective_;
  int block_;  // bytes from one rank to another
  std::vector<std::byte> input_;
  std::vector<std::byte> output_;
};

}  // namespace

int main(int argc, char** argv) {
  const auto make = [](const Options& options, std::uint64_t bytes) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return std::make_unique<MpiWork>(options.collective, bytes, ranks);
  };
  return railgauge::peers::sweep("mpi_peer", {"default"}, argc, argv, make);
}
