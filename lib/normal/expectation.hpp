#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// lib/normal holds what a measurement is compared with, and whether a difference says anything of
// what was measured. Limits are those of each test. It must not know any test, or how anything is
// measured.

namespace railgauge::normal {

/// What a measurement is compared with.
enum class Basis : std::uint8_t {
  line_rate,   ///< a share of what its link could carry
  fast_group,  ///< the median of the fast members of its cohort
  majority,    ///< the median of its cohort
};

/// A speed that a measurement should reach: GB/s, or one over a latency. More is better.
struct Expectation {
  double value = 0;   ///< 0: nothing is known to compare with
  std::size_t n = 0;  ///< measurements that it is made of; 0: none
  Basis basis = Basis::fast_group;
  std::string text{};  ///< "median of 14 fast pairs over 3 switches", "90 % of line rate"
};

/// What a link of that speed should carry at least, as a share of 1.
[[nodiscard]] Expectation of_line_rate(double link, double share);

/// What a difference from the expectation is worth.
enum class Deviation : std::uint8_t {
  none,         ///< it is as expected, or better
  disturbed,    ///< its processes were descheduled, which may be why
  unconfirmed,  ///< other measurements ran at the same time, and it was not retested alone
  real,         ///< what was measured is at fault
  unknown,      ///< there is nothing to compare it with
};

/// Of one speed that has to reach `share` of the expectation. `cpu_share`: part of the time in
/// which the processes at its ends had a CPU; the only measure of disturbance.
[[nodiscard]] Deviation compare(double speed, double cpu_share, const Expectation& expected,
                                double share);

/// One attempt at a measurement that is worse than expected.
struct Attempt {
  bool failed = false;       ///< it has no speed
  bool alone = false;        ///< nothing else was measured at the same time
  bool descheduled = false;  ///< a process at its ends was, long enough to make it slow or fail
  bool explained = false;    ///< with a CPU all the time it would have been as expected
  double cpu_share = 1;
};

/// Of several attempts, the one that counts first. One attempt convicts that was alone (of a
/// measurement that always failed, any attempt) and undisturbed. An attempt whose disturbance is
/// only estimated and does not explain it convicts if no other attempt excuses. `retested`: whether
/// any attempt was alone. Never `none` or `unknown`.
[[nodiscard]] Deviation deviation_of(std::span<const Attempt> attempts, bool retested);

}  // namespace railgauge::normal
