#include "schedule/collective.hpp"

namespace railgauge::schedule {

std::string_view name(Collective collective) {
  switch (collective) {
    case Collective::all_reduce: return "all_reduce";
    case Collective::reduce_scatter: return "reduce_scatter";
    case Collective::all_gather: return "all_gather";
  }
  return "unknown";
}

double bus_factor(Collective collective, Rank ranks) {
  const double once = static_cast<double>(ranks - 1) / ranks;
  return collective == Collective::all_reduce ? 2 * once : once;
}

bool is_input(Collective collective, Rank rank, Block block) {
  return collective != Collective::all_gather || rank == block;
}

bool is_output(Collective collective, Rank rank, Block block) {
  return collective != Collective::reduce_scatter || rank == block;
}

bool reduces(Collective collective) {
  return collective != Collective::all_gather;
}

}  // namespace railgauge::schedule
