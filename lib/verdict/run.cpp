#include "verdict/run.hpp"

namespace railgauge::verdict {

bool differs_in_figures_only(const Point& one, const Point& other) {
  return one.size_bytes == other.size_bytes && one.type == other.type && one.op == other.op &&
         one.algorithm == other.algorithm && one.placement == other.placement;
}

std::string_view word(BufferMode placement) {
  switch (placement) {
    case BufferMode::out_of_place: return "out_of_place";
    case BufferMode::in_place: return "in_place";
    case BufferMode::unstated: break;
  }
  return "unstated";
}

}  // namespace railgauge::verdict
