#include "pairs/shared_paths.hpp"

#include <algorithm>

namespace railgauge::pairs {
namespace {

using results::PairPath;

bool is_known(const PairPath& path) {
  return path.hops.size() > 1 &&
         std::ranges::all_of(path.hops, [](const auto& hop) { return hop.has_value(); });
}

}  // namespace

std::string shared_path_text(const std::vector<PairPath>& paths) {
  std::ptrdiff_t most = 0;
  for (const PairPath& path : paths) {
    if (is_known(path))
      most = std::max(most, std::ranges::count(paths, path.hops, &PairPath::hops));
  }
  if (most < 2) return "";
  return std::to_string(most) + " of " + std::to_string(paths.size()) + " queue pairs share a path";
}

}  // namespace railgauge::pairs
