// Gloo's algorithms over its ibverbs transport. That one has no unbound buffers, so of Gloo's two
// interfaces it has the older, in which a collective is an object with registered buffers.

#include <gloo/allgather_ring.h>
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/allreduce_ring.h>
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/ibverbs/device.h>
#include <mpi.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/peers/sweep.hpp"

namespace {

using railgauge::peers::Options;
using railgauge::peers::Work;
using Context = std::shared_ptr<gloo::rendezvous::Context>;
using Bytes = std::vector<std::byte>;
using Letters = std::vector<char>;

/// Every rank's bytes; collective.
std::vector<Letters> everybodys(const Letters& mine, int ranks) {
  int bytes = static_cast<int>(mine.size());
  int most = 0;
  MPI_Allreduce(&bytes, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  std::vector<int> lengths(static_cast<std::size_t>(ranks));
  MPI_Allgather(&bytes, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD);
  Letters padded = mine;
  padded.resize(static_cast<std::size_t>(most));
  Letters all(padded.size() * lengths.size());
  MPI_Allgather(padded.data(), most, MPI_CHAR, all.data(), most, MPI_CHAR, MPI_COMM_WORLD);
  std::vector<Letters> result;
  auto begin = all.begin();
  for (const int length : lengths) {
    result.emplace_back(begin, begin + length);
    begin += most;
  }
  return result;
}

/// What ranks tell each other to meet, by MPI: hosts need not share a folder.
class Meeting final : public gloo::rendezvous::Store {
 public:
  explicit Meeting(int ranks) : ranks_(ranks) {}

  /// Collective: in connectFullMesh ranks set equally often, each before it asks for others'.
  void set(const std::string& key, const Letters& data) override {
    const auto keys = everybodys({key.begin(), key.end()}, ranks_);
    const auto values = everybodys(data, ranks_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      said_[{keys[i].begin(), keys[i].end()}] = values[i];
    }
  }
  Letters get(const std::string& key) override { return said_.at(key); }
  using Store::wait;
  void wait(const std::vector<std::string>& /*keys*/) override {}

 private:
  int ranks_;
  std::map<std::string, Letters> said_;
};

Context connect(const Options& options) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  gloo::transport::ibverbs::attr attributes;
  attributes.name = options.device;
  attributes.port = 1;
  attributes.index = options.gid_index;
  auto device = gloo::transport::ibverbs::CreateDevice(attributes);
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, ranks);
  Meeting meeting(ranks);
  context->connectFullMesh(meeting, device);
  MPI_Barrier(MPI_COMM_WORLD);  // nobody sends before all can receive
  for (int other = 0; options.polls && other < ranks; ++other) {
    if (other != rank) context->getPair(other)->setSync(true, true);
  }
  return context;
}

/// Every rank's block to every rank, as gloo/pairwise_exchange.h does it for a power of two ranks
/// and log2 of these as partners; here all are partners, and all blocks are under way at once.
class Alltoall final : public gloo::Algorithm {
 public:
  Alltoall(const Context& context, Bytes& input, Bytes& output)
      : Algorithm(context), input_(input), output_(output), block_(input.size() / ranks()) {
    for (int step = 1; step < contextSize_; ++step) {
      const int to = (contextRank_ + step) % contextSize_;
      const int from = (contextRank_ + contextSize_ - step) % contextSize_;
      const int data = context_->nextSlot();
      sends_.push_back(getPair(to)->createSendBuffer(data, at(input_, to), block_));
      arrivals_.push_back(getPair(from)->createRecvBuffer(data, at(output_, from), block_));
      const int taken = context_->nextSlot();
      thanks_.push_back(getPair(from)->createSendBuffer(taken, &nothing_, sizeof nothing_));
      thanked_.push_back(getPair(to)->createRecvBuffer(taken, &nothing_, sizeof nothing_));
    }
  }

  void run() override {
    for (auto& send : sends_) send->send();
    std::memcpy(at(output_, contextRank_), at(input_, contextRank_), block_);
    for (auto& arrival : arrivals_) arrival->waitRecv();
    for (auto& notice : thanks_) notice->send();
    for (auto& notice : thanked_) notice->waitRecv();
  }

 private:
  using Buffers = std::vector<std::unique_ptr<gloo::transport::Buffer>>;

  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(contextSize_); }
  [[nodiscard]] std::byte* at(Bytes& bytes, int rank) const {
    return bytes.data() + static_cast<std::size_t>(rank) * block_;
  }

  Bytes& input_;
  Bytes& output_;
  std::size_t block_;
  int nothing_ = 0;
  Buffers sends_;
  Buffers arrivals_;
  Buffers thanks_;
  Buffers thanked_;
};

class GlooWork final : public Work {
 public:
  GlooWork(const Options& options, std::uint64_t bytes)
      : in_place_(options.collective == "all_reduce"), context_(connect(options)), output_(bytes) {
    if (!in_place_) {
      const auto ranks = static_cast<std::size_t>(context_->size);
      input_.resize(options.collective == "all_gather" ? bytes / ranks : bytes);
    }
    algorithm_ = make(options.collective, options.algorithm);
  }
  [[nodiscard]] bool exists() const { return algorithm_ != nullptr; }
  std::span<std::byte> input() override { return in_place_ ? output_ : input_; }
  std::span<std::byte> output() override { return output_; }
  void run() override { algorithm_->run(); }

 private:
  template <class Algorithm>
  std::unique_ptr<gloo::Algorithm> all_reduce() {
    const std::vector<float*> data{reinterpret_cast<float*>(output_.data())};
    return std::make_unique<Algorithm>(context_, data,
                                       static_cast<int>(output_.size() / sizeof(float)));
  }

  std::unique_ptr<gloo::Algorithm> make(const std::string& collective,
                                        const std::string& algorithm) {
    if (collective == "all_reduce") {
      if (algorithm == "ring") return all_reduce<gloo::AllreduceRing<float>>();
      if (algorithm == "ring_chunked") return all_reduce<gloo::AllreduceRingChunked<float>>();
      if (algorithm == "halving_doubling") {
        return all_reduce<gloo::AllreduceHalvingDoubling<float>>();
      }
    }
    if (collective == "all_gather" && algorithm == "ring") {
      return std::make_unique<gloo::AllgatherRing<char>>(
          context_, std::vector<const char*>{reinterpret_cast<const char*>(input_.data())},
          reinterpret_cast<char*>(output_.data()), static_cast<int>(input_.size()));
    }
    if (collective == "alltoall" && algorithm == "pairwise") {
      return std::make_unique<Alltoall>(context_, input_, output_);
    }
    return nullptr;
  }

  bool in_place_;
  Context context_;
  Bytes input_;
  Bytes output_;
  std::unique_ptr<gloo::Algorithm> algorithm_;
};

}  // namespace

int main(int argc, char** argv) {
  const auto make = [](const Options& options, std::uint64_t bytes) -> std::unique_ptr<Work> {
    auto work = std::make_unique<GlooWork>(options, bytes);
    if (!work->exists()) return nullptr;
    return work;
  };
  return railgauge::peers::sweep(
      "gloo_peer", {"ring", "ring_chunked", "halving_doubling", "pairwise"}, argc, argv, make);
}
