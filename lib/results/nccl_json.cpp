#include "results/document_codec.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "measure/sizes.hpp"

namespace railgauge::results {
namespace {

using Times = std::vector<double>;

constexpr int kFileVersion = 3;  // JSON_FILE_VERSION

/// To the nanosecond, which is what is measured.
double rounded(double us) {
  constexpr double kPerMicrosecond = 1000;
  return std::round(us * kPerMicrosecond) / kPerMicrosecond;
}

Times rounded(Times times) {
  for (double& one : times) one = rounded(one);
  return times;
}

/// Of each iteration the slowest rank's: what times_us has to be.
Times slowest_of(const std::vector<Times>& ranks) {
  Times slowest = ranks.front();
  for (const Times& rank : ranks) {
    for (std::size_t i = 0; i < slowest.size(); ++i) slowest[i] = std::max(slowest[i], rank[i]);
  }
  return slowest;
}

double mean_of(const Times& times) {
  return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

double deviation_of(const Times& times, double mean) {
  double squares = 0;
  for (const double one : times) squares += (one - mean) * (one - mean);
  return std::sqrt(squares / static_cast<double>(times.size()));
}

/// The smallest that so many percent are not above. `sorted` must not be empty.
double percentile(const Times& sorted, std::size_t percent) {
  constexpr std::size_t kAll = 100;
  const std::size_t place = (sorted.size() * percent + kAll - 1) / kAll;
  return sorted[std::min(std::max<std::size_t>(place, 1), sorted.size()) - 1];
}

Json iterations_of(const Measurement& measured) {
  constexpr double kPercent = 100;
  const Times all = rounded(slowest_of(measured.iteration_us));
  const std::uint64_t skipped = measured.per_iteration ? measured.per_iteration->skipped : 0;
  Times later(
      all.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(skipped, all.size() - 1)),
      all.end());
  std::ranges::sort(later);
  const double mean = mean_of(later);
  const double deviation = deviation_of(later, mean);
  Json ranks = Json::array();
  for (const Times& rank : measured.iteration_us) ranks.push_back(rounded(rank));
  return {{"skipped_iterations", skipped},
          {"min_us", later.front()},
          {"max_us", later.back()},
          {"avg_us", rounded(mean)},
          {"p50_us", later[later.size() / 2]},
          {"p95_us", percentile(later, 95)},
          {"p99_us", percentile(later, 99)},
          {"stdev_us", rounded(deviation)},
          {"cv_pct", mean > 0 ? rounded(kPercent * deviation / mean) : 0},
          {"times_us", all},
          {"per_process_max_times_us", ranks}};
}

bool has_iterations(const std::optional<Measurement>& measured) {
  return measured && !measured->iteration_us.empty() && !measured->iteration_us.front().empty();
}

Json figures_of(const Measurement& measured) {
  return {{"time", measured.time.p50_us},
          {"alg_bw", measured.algbw_gigabytes_per_second},
          {"bus_bw", measured.busbw_gigabytes_per_second},
          {"nwrong", measured.wrong ? Json(*measured.wrong) : Json()}};
}

void add(Json& json, const char* name, const std::optional<Measurement>& measured) {
  json[name] = measured ? figures_of(*measured) : Json();
  if (has_iterations(measured)) json[std::string(name) + "_per_iter"] = iterations_of(*measured);
}

Json result_of(const CollectiveRow& row) {
  Json json{{"size", row.size_bytes},
            {"count", row.count},
            {"type", row.type},
            {"redop", row.op},
            {"root", std::to_string(row.point.root)}};
  add(json, "out_of_place", row.out_of_place);
  add(json, "in_place", row.in_place);
  json["actual_iterations"] = row.out_of_place ? row.out_of_place->time.n : 0;
  json["experiment_name"] = row.algorithm;
  return json;
}

Json devices_of(const std::vector<Rank>& ranks) {
  Json devices = Json::array();
  for (const Rank& rank : ranks) {
    const RankRail rail = rank.rails.empty() ? RankRail{} : rank.rails.front();
    devices.push_back({{"rank", rank.rank},
                       {"group", 0},
                       {"pid", rank.pid},
                       {"hostname", rank.host},
                       {"device", rail.rail},
                       {"device_hex", rail.device + ":" + std::to_string(rail.port)},
                       {"device_info", rail.firmware}});
  }
  return devices;
}

std::uint64_t number_of(const Document& document, const std::string& option) {
  const std::string text = option_text(document, option);
  return text.empty() ? 0 : measure::parse_size(text);
}

Json config_of(const Document& document) {
  const auto number = [&](const char* option) { return number_of(document, option); };
  Json config{{"nthreads", 1},
              {"ngpus", 1},
              {"minimum_bytes", number("minbytes")},
              {"maximum_bytes", number("maxbytes")}};
  const bool factor = number("stepfactor") > 1;
  config[factor ? "step_factor" : "step_bytes"] = number(factor ? "stepfactor" : "stepbytes");
  config["warmup_iters"] = number("warmup_iters");
  config["iterations"] = number("iters");
  config["aggregated_iterations"] = number("agg_iters");
  config["validation"] = number("check");
  config["graph"] = 0;
  const std::string blocking = option_text(document, "blocking");
  config["blocking_collectives"] = blocking == "0" || blocking == "none" ? "false" : "true";
  config["per_iter_timing"] = "true";
  config["per_iter_skip"] = number("per_iter_skip");
  config["parallel_init"] = "true";
  config["devices"] = devices_of(document.ranks);
  return config;
}

}  // namespace

void add_nccl_json(Json& json, const Document& document) {
  const auto* const body = std::get_if<CollectiveBody>(&document.body);
  const auto asked = [](const CollectiveRow& row) { return has_iterations(row.out_of_place); };
  if (body == nullptr || std::ranges::none_of(body->rows, asked)) return;
  json["version"] = kFileVersion;
  json["config"] = config_of(document);
  Json results = Json::array();
  for (const CollectiveRow& row : body->rows) results.push_back(result_of(row));
  json["results"] = std::move(results);
}

}  // namespace railgauge::results
