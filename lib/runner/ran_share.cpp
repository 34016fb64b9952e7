#include "runner/ran_share.hpp"

#include <algorithm>
#include <ctime>

namespace railgauge::runner {
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

}  // namespace railgauge::runner
