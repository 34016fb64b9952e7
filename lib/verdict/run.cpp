#include "verdict/run.hpp"

namespace railgauge::verdict {

bool differs_in_figures_only(const Point& one, const Point& other) {
  return one.size_bytes == other.size_bytes && one.type == other.type && one.op == other.op &&
         one.algorithm == other.algorithm && one.placement == other.placement;
}

std::string_view word(Placement placement) {
  switch (placement) {
    case Placement::out_of_place: return "out_of_place";
    case Placement::in_place: return "in_place";
    case Placement::unstated: break;
  }
  return "unstated";
}

}  // namespace railgauge::verdict
