#include "results/collective.hpp"

#include <nlohmann/json.hpp>

#include "results/utc.hpp"

namespace railgauge::results {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<Measurement>& placement) {
  return placement ? Json(*placement) : Json(nullptr);
}

}  // namespace

void to_json(Json& json, const Prediction& prediction) {
  json = {{"algorithm", prediction.algorithm}, {"time_us", prediction.time_us}};
}

void to_json(Json& json, const CollectiveRow& row) {
  json = {{"size_bytes", row.size_bytes},
          {"count", row.count},
          {"type", row.type},
          {"op", row.op},
          {"root", row.point.root},
          {"algorithm", row.algorithm},
          {"rails", row.point.rails},
          {"own_rails", row.point.own_rails},
          {"queue_pairs", row.point.queue_pairs},
          {"chunk_bytes", row.point.chunk_bytes},
          {"traffic_class", row.point.traffic_class},
          {"cycle", row.cycle},
          {"measured", utc(row.measured)},
          {"predictions", row.predictions},
          {"out_of_place", or_null(row.out_of_place)},
          {"in_place", or_null(row.in_place)}};
}

}  // namespace railgauge::results
