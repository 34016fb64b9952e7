#include "verdict/rail_balance.hpp"

namespace railgauge::verdict {
namespace {

constexpr std::uint64_t kLargestOverSmallest = 16;  // of the sizes that are looked at

}  // namespace

const Point* most_out_of_balance(const Curve& curve) {
  if (curve.points.empty()) return nullptr;
  const std::uint64_t largest = curve.points.back().size_bytes.value_or(0);
  const Point* worst = nullptr;
  for (const Point& point : curve.points) {
    if (!point.slowest_rail) continue;
    if (point.size_bytes.value_or(0) < largest / kLargestOverSmallest) continue;
    if (worst == nullptr || point.slowest_rail->percent > worst->slowest_rail->percent) {
      worst = &point;
    }
  }
  return worst;
}

std::string in_words(const SlowestRail& slowest) {
  return "rail " + std::to_string(slowest.rail) + " is slowest";
}

}  // namespace railgauge::verdict
