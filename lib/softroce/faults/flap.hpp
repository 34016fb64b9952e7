#pragma once

#include <cstdint>
#include <optional>

#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

/// A link that is up for so long, then down for so long, from its first moment on. Without phases:
/// up.
class Flap {
 public:
  Flap() = default;
  Flap(nanoseconds up, nanoseconds down, Time start) : up_(up), down_(down), start_(start) {}

  bool up(Time now) const;
  std::optional<Time> next_change(Time now) const;
  /// How often it went down until `now`: a cut that nobody looked at was one nevertheless.
  std::int64_t cuts(Time now) const;

 private:
  bool active() const { return up_.count() > 0 && down_.count() > 0; }

  nanoseconds up_{};
  nanoseconds down_{};
  Time start_{};
};

}  // namespace railgauge::softroce
