#include "schedule/cost.hpp"

#include <algorithm>
#include <bit>

namespace railgauge::schedule {

Bounds lower_bounds(Collective collective, Rank ranks) {
  if (ranks == 1) return {};
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(ranks - 1));
  return {traits(collective).movement == Movement::to_next ? 1 : doublings,
          bus_factor(collective, ranks)};
}

double data_moved(const Schedule& schedule) {
  const std::uint64_t most = std::max(schedule.cost.blocks_sent, schedule.cost.blocks_received);
  return static_cast<double>(most) / schedule.blocks;
}

}  // namespace railgauge::schedule
