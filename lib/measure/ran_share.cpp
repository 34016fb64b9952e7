#include "measure/ran_share.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace railgauge::measure {
namespace {

double ran_s() {
  constexpr double kNanosecond = 1e-9;
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + kNanosecond * static_cast<double>(now.tv_nsec);
}

}  // namespace

RanShare::RanShare() : began_(std::chrono::steady_clock::now()), ran_before_s_(ran_s()) {}

double RanShare::until_now() const {
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - began_;
  return all.count() > 0 ? std::clamp((ran_s() - ran_before_s_) / all.count(), 0.0, 1.0) : 1;
}

bool ran_all_the_time(double ran_share) {
  constexpr double kAllTheTime = 0.95;
  return ran_share >= kAllTheTime;
}

double rate_in_all_the_time(double rate, double ran_share) {
  constexpr double kLeastShare = 0.01;
  return ran_all_the_time(ran_share) ? rate : rate / std::max(ran_share, kLeastShare);
}

std::string ran_text(double ran_share) {
  constexpr double kPercent = 100;
  return "the processes at its ends ran for about " +
         std::to_string(std::lround(kPercent * ran_share)) + " % of the time";
}

}  // namespace railgauge::measure
