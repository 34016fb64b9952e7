#include "results/row.hpp"

#include <nlohmann/json.hpp>

namespace railgauge::results {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json time_of(const measure::Summary& time) {
  return {{"n", time.n},           {"min_us", time.min_us}, {"p50_us", time.p50_us},
          {"p90_us", time.p90_us}, {"p99_us", time.p99_us}, {"max_us", time.max_us}};
}

}  // namespace

void to_json(Json& json, const Placement& placement) {
  json = {{"time", time_of(placement.time)},
          {"algbw_gigabytes_per_second", placement.algbw_gigabytes_per_second},
          {"busbw_gigabytes_per_second", placement.busbw_gigabytes_per_second},
          {"wrong", or_null(placement.wrong)}};
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
          {"predictions", row.predictions},
          {"out_of_place", or_null(row.out_of_place)},
          {"in_place", or_null(row.in_place)}};
}

}  // namespace railgauge::results
