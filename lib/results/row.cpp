#include "results/row.hpp"

#include <nlohmann/json.hpp>

#include "results/utc.hpp"

namespace railgauge::results {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<Measurement>& placement) {
  return placement ? Json(*placement) : Json(nullptr);
}

}  // namespace

std::string joined(const std::vector<unsigned>& rails) {
  std::string text;
  for (const unsigned rail : rails) text += (text.empty() ? "" : "+") + std::to_string(rail);
  return text;
}

std::string rails_of(const Row& row) {
  return row.own_rails ? "own" : joined(row.rails);
}

void to_json(Json& json, const Prediction& prediction) {
  json = {{"algorithm", prediction.algorithm}, {"time_us", prediction.time_us}};
}

void to_json(Json& json, const Row& row) {
  json = {{"size_bytes", row.size_bytes},
          {"count", row.count},
          {"type", row.type},
          {"op", row.op},
          {"root", row.root},
          {"algorithm", row.algorithm},
          {"rails", row.rails},
          {"own_rails", row.own_rails},
          {"queue_pairs", row.queue_pairs},
          {"chunk_bytes", row.chunk_bytes},
          {"traffic_class", row.traffic_class},
          {"cycle", row.cycle},
          {"measured", utc(row.measured)},
          {"predictions", row.predictions},
          {"out_of_place", or_null(row.out_of_place)},
          {"in_place", or_null(row.in_place)}};
}

}  // namespace railgauge::results
