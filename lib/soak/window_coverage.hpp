#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "finding/outcome.hpp"
#include "soak/header.hpp"
#include "soak/record.hpp"
#include "soak/window.hpp"

namespace railgauge::soak {

/// How much of a soak was tested, and how much it carried: of all that a record has, in its order,
/// live or read again.
///
/// A window lacks counters if those of a port could not be read; it lacks time if it is less than
/// half, or by two seconds more than twice, as long as the header says, or nothing ran in it.
class WindowCoverage {
 public:
  /// The header is not kept.
  explicit WindowCoverage(const Header& header)
      : window_s_(header.window_s), duration_s_(header.duration_s), phases_(header.plan.size()) {}

  void take(const Window& window);
  void take(const Gap& gap) { lost_ += gap.lost_windows; }
  /// Of a soak that is complete, windows that its duration has and the record has not are missing.
  void take(const End& end) { complete_ = end.complete; }
  void take(const finding::Finding& finding);
  /// The last window is not in the record.
  void miss_record() { ++unrecorded_; }

  /// "windows": of those that were over, those that gaps took and those that are missing, such as
  /// have counters and time; a soak is at least one. "verification": of the phases of the plan,
  /// those that ran with an iteration that was verified. "record": once a window is not in it.
  [[nodiscard]] std::vector<finding::Coverage> coverage() const;

  /// The bound on the bit error rate is the rule of three, 3 / bits at 95 % confidence. There is
  /// none once a packet was lost or corrupted, or data were wrong.
  [[nodiscard]] Figures figures() const;

 private:
  [[nodiscard]] finding::Coverage of_windows() const;
  [[nodiscard]] finding::Coverage of_phases() const;
  [[nodiscard]] std::uint64_t missing() const;

  double window_s_;
  double duration_s_;
  std::size_t phases_;  // of the plan
  double measured_s_ = 0;
  bool complete_ = false;
  std::uint64_t windows_ = 0;
  std::uint64_t without_counters_ = 0;
  std::uint64_t without_time_ = 0;
  std::uint64_t untested_ = 0;  // windows without one or the other
  std::uint64_t lost_ = 0;      // in gaps
  std::uint64_t unrecorded_ = 0;
  std::uint64_t bits_ = 0;
  bool errors_ = false;                     // of bits or packets
  std::set<std::size_t> ran_;               // phases
  std::set<std::size_t> verified_;          // likewise
  std::set<std::uint64_t> failed_windows_;  // the first of them
  std::set<std::uint64_t> untested_windows_;
};

}  // namespace railgauge::soak
