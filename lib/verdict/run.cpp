#include "verdict/run.hpp"

namespace railgauge::verdict {

bool differs_in_figures_only(const Point& one, const Point& other) {
  return one.size_bytes == other.size_bytes && one.type == other.type && one.op == other.op &&
         one.algorithm == other.algorithm && one.placement == other.placement;
}

}  // namespace railgauge::verdict
