#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace railgauge::measure {

/// Which rank's time counts as an iteration's: nccl-tests' -a, with its numbers.
enum class OverRanks : std::uint8_t { first, mean, fastest, slowest };

/// All ranks, as far as timing needs them. Every call is collective and throws what its
/// implementation throws when another rank does not take part. Implemented over MPI by job, and
/// over threads by tests.
class RankGroup {
 public:
  RankGroup() = default;
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;
  virtual ~RankGroup() = default;

  virtual void barrier() = 0;
  /// One value over all ranks for each element; on rank 0 only, empty on the others.
  virtual std::vector<double> reduce(std::span<const double> own, OverRanks which) = 0;
  /// Rank 0's value, on every rank.
  virtual std::uint64_t broadcast(std::uint64_t value) = 0;
  /// Every rank's value, on every rank.
  virtual std::vector<double> all_gather(double own) = 0;
};

}  // namespace railgauge::measure
