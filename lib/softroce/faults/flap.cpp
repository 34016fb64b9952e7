#include "softroce/faults/flap.hpp"

#include <algorithm>

namespace railgauge::softroce {

bool Flap::up(Time now) const {
  return !active() || std::max(now - start_, nanoseconds(0)) % (up_ + down_) < up_;
}

std::optional<Time> Flap::next_change(Time now) const {
  if (!active()) return std::nullopt;
  const nanoseconds period = up_ + down_;
  const nanoseconds since = std::max(now - start_, nanoseconds(0));
  return start_ + since / period * period + (up(now) ? up_ : period);
}

std::int64_t Flap::cuts(Time now) const {
  if (!active() || now - start_ < up_) return 0;
  return (now - start_ - up_) / (up_ + down_) + 1;
}

}  // namespace railgauge::softroce
