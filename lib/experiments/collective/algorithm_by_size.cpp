#include "experiments/collective/algorithm_by_size.hpp"

#include "measure/sizes.hpp"

namespace railgauge::runner {
namespace {

/// Of two, doubling has fewer messages in a row and as many in all; of many, one rank would have to
/// keep buffers for all others.
constexpr schedule::Rank kFewestDirect = 3;
constexpr schedule::Rank kMostDirect = 16;
constexpr std::uint64_t kMostBytes = 8ULL * 1024;
constexpr std::uint64_t kMostDirectBytes = 256ULL * 1024;

}  // namespace

SmallData small_data(schedule::Rank ranks, bool share_processors, bool one_host) {
  const bool few = ranks >= kFewestDirect && ranks <= kMostDirect;
  if (!share_processors || !few) return {"doubling", kMostBytes};
  return {"direct", one_host ? kMostDirectBytes : kMostBytes};
}

std::string rule_by_size() {
  return "up to " + measure::format_size(kMostBytes) + " doubling, or direct if " +
         std::to_string(kFewestDirect) + " to " + std::to_string(kMostDirect) +
         " ranks share processors, on one host up to " + measure::format_size(kMostDirectBytes) +
         "; ring above";
}

}  // namespace railgauge::runner
