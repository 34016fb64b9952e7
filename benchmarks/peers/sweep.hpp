#pragma once

// benchmarks/peers holds other people's collectives, timed as railgauge's are. It must not know
// railgauge's own: executor, transport, schedules.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace railgauge::peers {

struct Options {
  std::string collective = "all_reduce";  // or all_gather, alltoall
  std::string algorithm;                  // the peer's name for it
  std::string device = "soft0";
  int gid_index = 0;
  bool polls = false;  // waits by polling where the peer can do either
  std::vector<std::uint64_t> sizes;
  int iterations = 100;
  int warmup_iterations = 20;
  unsigned time_limit_s = 60;
};

/// A collective of one size, ready to be run again and again. The buffers are those of this rank:
/// all_reduce takes floats, and may have one buffer for both; all_gather's input is its own block.
/// Lives until the process ends.
class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;

  [[nodiscard]] virtual std::span<std::byte> input() = 0;
  [[nodiscard]] virtual std::span<std::byte> output() = 0;
  /// For buffers whose data are elsewhere: both have been written; output is about to be read.
  virtual void filled() {}
  virtual void finished() {}
  virtual void run() = 0;
};

/// What the peer makes for `bytes`, which are counted as nccl-tests counts them: all that a rank
/// ends with, or for alltoall starts with. Null if it has no such collective or algorithm.
using Make = std::function<std::unique_ptr<Work>(const Options&, std::uint64_t bytes)>;

/// The whole of a peer's main, between MPI_Init and MPI_Finalize, which only start the ranks and
/// carry times here. Runs every size of the command line once with a look at the result, then
/// `-w` times, then `-n` times back to back; the time of an iteration is the slowest rank's. Rank 0
/// prints a line of JSON a size: peer, collective, algorithm, ranks, bytes, iterations, median_us,
/// min_us, busbw_GBps (nccl-tests' formulas, 1e9 bytes), wrong (elements, over all ranks).
/// `algorithms` are the names that --algorithm takes, the first being the default. Returns the exit
/// status: 0, 2 usage, 4 wrong data; what `make` or the work throws is said and aborts all ranks
/// with 3.
int sweep(const std::string& peer, const std::vector<std::string>& algorithms, int argc,
          char** argv, const Make& make);

}  // namespace railgauge::peers
