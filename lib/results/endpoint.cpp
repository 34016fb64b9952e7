#include "results/endpoint.hpp"

namespace railgauge::results {

finding::Endpoint place_of(const Endpoint& end) {
  return {.host = end.host,
          .device = end.device,
          .port = end.port,
          .rail = end.rail,
          .plane = end.plane == 0 ? std::nullopt : std::optional(end.plane),
          .address = end.address};
}

}  // namespace railgauge::results
