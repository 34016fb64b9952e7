#include "results/rank_load.hpp"

#include <algorithm>

namespace railgauge::results {

std::optional<double> waited_share(std::span<const RankLoad> loads) {
  double waited = 0;
  for (const RankLoad& load : loads) {
    if (!load.queued_us || load.wall_us <= 0) return std::nullopt;
    waited += std::clamp(*load.queued_us / load.wall_us, 0.0, 1.0);
  }
  if (loads.empty()) return std::nullopt;
  return waited / static_cast<double>(loads.size());
}

}  // namespace railgauge::results
