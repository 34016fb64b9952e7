#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "job/communicator.hpp"
#include "measure/histogram.hpp"
#include "results/measurement.hpp"

namespace railgauge::runner {

/// A plane of a rail.
struct Plane {
  unsigned rail = 0;
  int plane = 0;

  friend bool operator==(const Plane&, const Plane&) = default;
};

using Planes = std::vector<Plane>;

/// What a rank's rails do in one placement, plane by plane: for how long each has its part of the
/// data under way, and how much that is.
class RailTimes {
 public:
  /// `planes`: those that this rank drives.
  explicit RailTimes(Planes planes);

  /// Forgets what was. `sent` are the bytes that each of these planes has sent since whenever; the
  /// first `untimed` runs will be counted, not timed.
  void begin(std::vector<std::uint64_t> sent, std::uint64_t untimed);
  /// A run has ended, with so long for each of these planes; 0: no data went over it. Does not
  /// allocate.
  void record(std::span<const std::chrono::nanoseconds> planes) noexcept;

  /// What the planes that this rank drives did on it alone: bytes since begin(), in all runs, and
  /// medians. `sent` as before.
  [[nodiscard]] std::vector<results::RailResult> own(std::span<const std::uint64_t> sent) const;

  /// Collective: one result for each of `planes`, which all ranks together drive. `sent` as before.
  [[nodiscard]] std::vector<results::RailResult> results(job::Communicator& communicator,
                                                         const Planes& planes,
                                                         std::span<const std::uint64_t> sent) const;

 private:
  [[nodiscard]] results::RailResult result(job::Communicator& communicator, const Plane& plane,
                                           std::span<const std::uint64_t> sent) const;

  Planes planes_;
  std::vector<measure::Histogram> times_;  // [plane of these]
  std::vector<std::uint64_t> sent_;
  std::uint64_t untimed_ = 0;
  std::uint64_t runs_ = 0;
};

}  // namespace railgauge::runner
