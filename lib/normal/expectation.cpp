#include "normal/expectation.hpp"

#include <cmath>

#include "measure/cpu_share.hpp"

namespace railgauge::normal {

Expectation of_line_rate(double link, double share) {
  constexpr double kPercent = 100;
  return {.value = share * link,
          .n = 1,
          .basis = Basis::line_rate,
          .text = std::to_string(std::lround(kPercent * share)) + " % of line rate"};
}

Deviation compare(double speed, double cpu_share, const Expectation& expected, double share) {
  if (expected.n == 0) return Deviation::unknown;
  const double least = share * expected.value;
  if (speed >= least) return Deviation::none;
  const bool excused = measure::rate_at_full_share(speed, cpu_share) >= least;
  return excused ? Deviation::disturbed : Deviation::real;
}

Deviation deviation_of(std::span<const Attempt> attempts, bool retested) {
  const bool failed = attempts.front().failed;
  bool excused = false;
  for (const Attempt& one : attempts) {
    if (!one.alone && !failed) continue;
    if (one.descheduled || one.explained) {
      excused = true;
    } else if (one.failed || measure::had_full_share(one.cpu_share)) {
      return Deviation::real;
    }
  }
  if (excused) return Deviation::disturbed;
  return failed || retested ? Deviation::real : Deviation::unconfirmed;
}

}  // namespace railgauge::normal
