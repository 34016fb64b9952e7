#include "soak/turns.hpp"

namespace railgauge::soak {

std::optional<std::size_t> Turns::next(Time now) {
  if (now >= begin_ + window_) return std::nullopt;
  const auto phases = static_cast<std::int64_t>(phases_);
  const std::int64_t part = (now - begin_) * phases / window_;
  end_ = begin_ + (part + 1) * window_ / phases;
  const std::size_t phase = next_;
  next_ = (next_ + 1) % phases_;
  return phase;
}

}  // namespace railgauge::soak
