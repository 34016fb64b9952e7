// NCCL's collectives on a GPU's memory, one process a rank; ranks share GPUs when there are fewer.
// What carries them is for whoever starts it: benchmarks/peers/bars has NCCL use the RDMA device.

#include <mpi.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "benchmarks/peers/nccl_api.hpp"
#include "benchmarks/peers/sweep.hpp"

namespace {

using railgauge::peers::Cuda;
using railgauge::peers::GpuLibraries;
using railgauge::peers::Nccl;
using railgauge::peers::NcclId;
using railgauge::peers::Options;
using railgauge::peers::Unavailable;
using railgauge::peers::Work;

constexpr int kSkipped = 77;

/// All ranks, with a GPU and a stream of this one's.
class Communicator {
 public:
  explicit Communicator(const GpuLibraries& libraries) : libraries_(libraries) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    // Otherwise NCCL sees that ranks share a host, and keeps their data off the network.
    ::setenv("NCCL_HOSTID", ("rank" + std::to_string(rank_)).c_str(), 1);
    cuda().check(cuda().set_device(rank_ % libraries_.gpus), "cudaSetDevice");
    cuda().check(cuda().create_stream(&stream_), "cudaStreamCreate");
    const NcclId id = make_id();
    nccl().check(nccl().init_rank(&all_, ranks_, id, rank_), "ncclCommInitRank");
  }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() { nccl().destroy(all_); }

  [[nodiscard]] const Cuda& cuda() const { return libraries_.cuda; }
  [[nodiscard]] const Nccl& nccl() const { return libraries_.nccl; }
  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] Nccl::Communicator all() const { return all_; }
  [[nodiscard]] Nccl::Stream stream() const { return stream_; }

 private:
  /// Rank 0's, by MPI.
  NcclId make_id() const {
    NcclId id{};
    if (rank_ == 0) nccl().check(nccl().get_unique_id(&id), "ncclGetUniqueId");
    MPI_Bcast(id.bytes.data(), static_cast<int>(id.bytes.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    return id;
  }

  const GpuLibraries& libraries_;
  int rank_ = 0;
  int ranks_ = 0;
  Nccl::Stream stream_ = nullptr;
  Nccl::Communicator all_ = nullptr;
};

/// Memory of the GPU, and of the host to fill and to look at it. The GPU's stays until the process
/// ends, as the work does.
struct Buffer {
  Buffer(const Cuda& cuda, std::size_t bytes) : host(bytes) {
    cuda.check(cuda.allocate(&device, bytes), "cudaMalloc of " + std::to_string(bytes) + " bytes");
  }
  [[nodiscard]] std::byte* at(std::size_t offset) const {
    return static_cast<std::byte*>(device) + offset;
  }
  void to_device(const Cuda& cuda) const {
    cuda.check(cuda.copy(device, host.data(), host.size(), Cuda::kHostToDevice), "cudaMemcpy");
  }
  void to_host(const Cuda& cuda) {
    cuda.check(cuda.copy(host.data(), device, host.size(), Cuda::kDeviceToHost), "cudaMemcpy");
  }

  std::vector<std::byte> host;
  void* device = nullptr;
};

class NcclWork final : public Work {
 public:
  NcclWork(const Communicator& communicator, const std::string& collective, std::uint64_t bytes)
      : communicator_(communicator),
        collective_(collective),
        block_(bytes / static_cast<std::uint64_t>(communicator.ranks())),
        input_(communicator.cuda(), collective == "all_gather" ? block_ : bytes),
        output_(communicator.cuda(), bytes) {}

  std::span<std::byte> input() override { return input_.host; }
  std::span<std::byte> output() override { return output_.host; }

  void filled() override {
    input_.to_device(communicator_.cuda());
    output_.to_device(communicator_.cuda());
  }

  void run() override {
    start();
    communicator_.cuda().check(communicator_.cuda().synchronize(communicator_.stream()),
                               "cudaStreamSynchronize after " + collective_);
  }

  void finished() override { output_.to_host(communicator_.cuda()); }

 private:
  void start() {
    const Nccl& nccl = communicator_.nccl();
    const auto all = communicator_.all();
    const auto stream = communicator_.stream();
    if (collective_ == "all_reduce") {
      const std::size_t count = output_.host.size() / sizeof(float);
      nccl.check(nccl.all_reduce(input_.device, output_.device, count, Nccl::kFloat, Nccl::kSum,
                                 all, stream),
                 "ncclAllReduce");
    } else if (collective_ == "all_gather") {
      nccl.check(nccl.all_gather(input_.device, output_.device, block_, Nccl::kInt8, all, stream),
                 "ncclAllGather");
    } else if (nccl.alltoall != nullptr) {
      nccl.check(nccl.alltoall(input_.device, output_.device, block_, Nccl::kInt8, all, stream),
                 "ncclAlltoAll");
    } else {
      exchange();
    }
  }

  /// All-to-all as NCCL's manual has it for versions without ncclAlltoAll.
  void exchange() {
    const Nccl& nccl = communicator_.nccl();
    nccl.check(nccl.group_start(), "ncclGroupStart");
    for (int peer = 0; peer < communicator_.ranks(); ++peer) {
      const std::size_t offset = block_ * static_cast<std::size_t>(peer);
      nccl.check(nccl.send(input_.at(offset), block_, Nccl::kInt8, peer, communicator_.all(),
                           communicator_.stream()),
                 "ncclSend");
      nccl.check(nccl.receive(output_.at(offset), block_, Nccl::kInt8, peer, communicator_.all(),
                              communicator_.stream()),
                 "ncclRecv");
    }
    nccl.check(nccl.group_end(), "ncclGroupEnd");
  }

  const Communicator& communicator_;
  std::string collective_;
  std::size_t block_;  // bytes from one rank to another
  Buffer input_;
  Buffer output_;
};

int sweep(const GpuLibraries& libraries, int argc, char** argv) {
  std::unique_ptr<Communicator> communicator;  // for all sizes: it takes seconds to make
  const auto make = [&](const Options& options, std::uint64_t bytes) {
    if (!communicator) communicator = std::make_unique<Communicator>(libraries);
    return std::make_unique<NcclWork>(*communicator, options.collective, bytes);
  };
  return railgauge::peers::sweep("nccl_peer", {"default"}, argc, argv, make);
}

}  // namespace

/// --available alone prints NCCL's version, without MPI: 77 and a sentence if it cannot be used
/// here.
int main(int argc, char** argv) {
  try {
    const GpuLibraries libraries = railgauge::peers::open_gpu_libraries();
    if (argc == 2 && std::string_view(argv[1]) == "--available") {
      std::cout << libraries.version << "\n";
      return 0;
    }
    return sweep(libraries, argc, argv);
  } catch (const Unavailable& error) {
    std::cerr << "nccl_peer: " << error.what() << "\n";
    return kSkipped;
  }
}
