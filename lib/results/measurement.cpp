#include "results/measurement.hpp"

#include <nlohmann/json.hpp>

namespace railgauge::results {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json time_of(const measure::Summary& time) {
  return {{"n", time.n},           {"min_us", time.min_us},  {"p50_us", time.p50_us},
          {"p90_us", time.p90_us}, {"p99_us", time.p99_us},  {"p999_us", time.p999_us},
          {"max_us", time.max_us}, {"mean_us", time.mean_us}};
}

Json interval_of(const std::optional<measure::MedianInterval>& interval) {
  if (!interval) return nullptr;
  return {{"low_us", interval->low_us},
          {"high_us", interval->high_us},
          {"confidence", measure::MedianInterval::kConfidence}};
}

Json histogram_of(const std::vector<measure::Histogram::Bin>& bins) {
  Json list = Json::array();
  for (const auto& bin : bins) list.push_back({bin.lower_us, bin.upper_us, bin.count});
  return {{"relative_error", measure::Histogram::kRelativeError}, {"bins", list}};
}

void to_json(Json& json, const Straggler& straggler) {
  json = {{"rank", straggler.rank},
          {"host", straggler.host},
          {"own_us", straggler.own_us},
          {"others_us", straggler.others_us}};
}

void to_json(Json& json, const PerIteration& iterations) {
  json = {{"skipped", iterations.skipped},
          {"min_us", iterations.min_us},
          {"max_us", iterations.max_us},
          {"p99_us", iterations.p99_us},
          {"variation_percent", iterations.variation_percent}};
}

}  // namespace

std::string_view word(BufferMode mode) {
  switch (mode) {
    case BufferMode::unstated: return "unstated";
    case BufferMode::out_of_place: return "out_of_place";
    case BufferMode::in_place: return "in_place";
  }
  return "";
}

std::string_view word(measure::StoppedBy stopped_by) {
  switch (stopped_by) {
    case measure::StoppedBy::iterations: return "iterations";
    case measure::StoppedBy::duration: return "duration";
    case measure::StoppedBy::interval: return "interval";
  }
  return "";
}

void to_json(Json& json, const Measurement& measured) {
  Json straggler;
  if (measured.straggler) to_json(straggler, *measured.straggler);
  json = {{"time", time_of(measured.time)},
          {"median_interval_us", interval_of(measured.median_interval)},
          {"bimodal", measured.bimodal},
          {"stopped_by", word(measured.stopped_by)},
          {"algbw_gigabytes_per_second", measured.algbw_gigabytes_per_second},
          {"busbw_gigabytes_per_second", measured.busbw_gigabytes_per_second},
          {"line_rate_percent", or_null(measured.line_rate_percent)},
          {"rails", measured.rails},
          {"rail_imbalance",
           {{"bytes_percent", or_null(bytes_imbalance_percent(measured.rails))},
            {"time_percent", or_null(time_imbalance_percent(measured.rails))}}},
          {"rank_medians_us", measured.rank_medians_us},
          {"rank_own_us", measured.rank_own_us},
          {"straggler", straggler},
          {"wrong", or_null(measured.wrong)},
          {"verified_iterations", measured.verified_iterations},
          {"verification_us", measured.verification_us},
          {"histogram", histogram_of(measured.histogram)}};
  if (measured.per_iteration) to_json(json["per_iteration"], *measured.per_iteration);
}

}  // namespace railgauge::results
