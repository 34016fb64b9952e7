#include "runner/collective/algorithm_by_size.hpp"

#include "measure/sizes.hpp"

namespace railgauge::runner {
namespace {

/// Of two, doubling has fewer messages in a row and as many in all; of many, one rank would have to
/// keep buffers for all others.
constexpr schedule::Rank kFewestDirect = 3;
constexpr schedule::Rank kMostDirect = 16;
constexpr std::string_view kDirect = "direct";
constexpr std::string_view kDoubling = "doubling";

}  // namespace

std::string_view small_algorithm(schedule::Rank ranks, bool share_processors) {
  const bool few = ranks >= kFewestDirect && ranks <= kMostDirect;
  return share_processors && few ? kDirect : kDoubling;
}

std::uint64_t most_small_bytes(std::string_view small_algorithm) {
  return (small_algorithm == kDirect ? 256ULL : 8ULL) * 1024;
}

std::string rule_by_size() {
  return "up to " + measure::format_size(most_small_bytes(kDoubling)) + " doubling, or up to " +
         measure::format_size(most_small_bytes(kDirect)) + " direct if " +
         std::to_string(kFewestDirect) + " to " + std::to_string(kMostDirect) +
         " ranks share processors; ring above";
}

}  // namespace railgauge::runner
