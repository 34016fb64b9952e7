#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "json/fields.hpp"
#include "verdict/logs/formats.hpp"
#include "verdict/logs/json_records.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

using json::Json;
using json::maybe;
using json::maybe_positive;
using json::text_or_none;

/// Whether printed figures agree, which both had several digits.
bool figures_agree(double one, double other) {
  constexpr double kTolerance = 0.01;
  return std::abs(one - other) <= kTolerance * std::max(one, other);
}

class InspectorReader {
 public:
  void record(std::size_t line, const Json& json) {
    const auto found = json.find("coll_perf");
    const std::string wrong =
        found == json.end()
            ? ""
            : impossible_in(*found, {"coll_exec_time_us", "coll_algobw_gbs", "coll_busbw_gbs"});
    if (!wrong.empty()) tell_end(content_, Ended::wrong_data, line, wrong);
    const auto why = wrong.empty() ? add(json) : wrong;
    if (!why.empty()) content_.complaints.push_back({line, why});
  }

  LogContent result() {
    LogContent content = std::move(content_);
    for (auto& [key, run] : runs_) {
      content.runs.push_back(std::move(run));
      content.runs.back().points = without_repetitions(content.runs.back().points);
      content.runs.back().name = std::to_string(content.runs.size());
    }
    return content;
  }

 private:
  std::string add(const Json& json) try {
    if (json.contains("p2p_perf") || json.contains("proxy_trace")) return "";
    if (const auto stats = maybe<Json>(json, "dump_stats")) {
      header_of_dump_ = maybe<Json>(json, "header");
      return dropped(*stats);
    }
    const Json header = header_of(json);
    const Json perf = json::wanted<Json>(json, "coll_perf");
    Run run;
    run.collective = collective_called(text_or_none(perf, "coll"));
    run.ranks = maybe_positive<int>(header, "n_ranks");
    run.nodes = maybe_positive<int>(header, "nnodes");
    run.library = "NCCL";
    if (run.collective.empty()) return "no collective that is read: " + text_or_none(perf, "coll");
    Point point{.algorithm = lower(text_or_none(perf, "coll_algo"))};
    std::string why = read(perf, run, point);
    if (!why.empty()) return why;
    const auto key = std::tuple(run.collective, run.ranks, run.nodes, text_or_none(header, "id"));
    runs_.try_emplace(key, run).first->second.points.push_back(point);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }

  /// Flat in some versions; since v4.3 it stands once in front of all records of a dump.
  [[nodiscard]] Json header_of(const Json& json) const {
    if (json.contains("n_ranks")) return json;
    return maybe<Json>(json, "header").value_or(header_of_dump_.value_or(json));
  }

  /// Once a dump, since v4.1.
  static std::string dropped(const Json& stats) {
    const auto count = maybe<std::uint64_t>(stats, "coll_dropped_since_last_dump").value_or(0);
    return count == 0 ? "" : std::to_string(count) + " operations are not in the dump";
  }

  /// Sizes of reduce-scatter and all-gather are one rank's part: algobw says so.
  static std::string read(const Json& perf, const Run& run, Point& point) {
    point.size_bytes = maybe<std::uint64_t>(perf, "coll_msg_size_bytes");
    point.time_us = maybe_positive<double>(perf, "coll_exec_time_us");
    const auto algbw = maybe<double>(perf, "coll_algobw_gbs");
    const auto busbw = maybe<double>(perf, "coll_busbw_gbs");
    if (!point.size_bytes || !point.time_us || !algbw || !busbw) {
      return "size, time, algobw or busbw is missing";
    }
    for (const int parts : {1, run.ranks.value_or(1)}) {
      Point scaled = point;
      scaled.size_bytes = *point.size_bytes * static_cast<std::uint64_t>(parts);
      work_out_bandwidths(scaled, run);
      if (!figures_agree(scaled.algbw_gigabytes_per_second.value_or(0), *algbw)) continue;
      if (run.ranks && !figures_agree(scaled.busbw_gigabytes_per_second.value_or(*busbw), *busbw))
        continue;
      point = scaled;
      return "";
    }
    return "algobw and busbw are not what size, time and ranks make";
  }

  using Key = std::tuple<std::string, std::optional<int>, std::optional<int>, std::string>;

  std::map<Key, Run> runs_;
  std::optional<Json> header_of_dump_;
  LogContent content_;  // but its runs
};

bool is_inspector(std::string_view text) {
  return text.find("\"coll_perf\"") != std::string_view::npos &&
         text.find("\"coll_busbw_gbs\"") != std::string_view::npos;
}

LogContent read_inspector(std::string_view text, const Stated& /*stated*/) {
  InspectorReader reader;
  Complaints complaints;
  for (const JsonRecord& record : json_records(text, complaints)) {
    reader.record(record.line, record.json);
  }
  LogContent content = reader.result();
  content.complaints.insert(content.complaints.end(), complaints.begin(), complaints.end());
  return content;
}

}  // namespace

const Format kInspector{"inspector", is_inspector, read_inspector};

}  // namespace railgauge::verdict
