#include "verdict/run.hpp"

namespace railgauge::verdict {

std::string_view word(Placement placement) {
  switch (placement) {
    case Placement::out_of_place: return "out_of_place";
    case Placement::in_place: return "in_place";
    case Placement::unstated: break;
  }
  return "unstated";
}

}  // namespace railgauge::verdict
