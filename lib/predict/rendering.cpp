#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "finding/words.hpp"
#include "json/codec.hpp"
#include "predict/prediction.hpp"

namespace railgauge::predict {
namespace {

const char* word_of(Balance balance) {
  static constexpr std::array kWords{"ecmp",    "spray", "pinned", "adaptive",
                                     "ecmp+qp", "wcmp",  "flowlet"};
  return kWords.at(static_cast<std::size_t>(balance));
}

std::string head_of(const Forecast& forecast) {
  const Scenario& scenario = forecast.scenario;
  const fabric::Fabric& fabric = scenario.fabric;
  const fabric::Parts parts = parts_of(fabric);
  std::string text = std::string(schedule::name(scenario.collective)) + " of " +
                     fabric::counted(scenario.ranks.hosts) + " hosts x " +
                     fabric::counted(scenario.ranks.per_host) + " ranks on " + fabric.generator +
                     ": " + fabric::counted(fabric.nics) + " x " +
                     fabric::number(nic_gbps(fabric)) + "G a host, " +
                     fabric::counted(parts.leaves) + " leaves, " + fabric::counted(parts.spines) +
                     " spines, " + fabric::number(oversubscription(fabric)) + ":1";
  text.append("; ").append(word_of(scenario.routing.balance));
  text.append(", " + std::to_string(scenario.routing.queue_pairs) + " queue pair(s)");
  if (scenario.routing.dead_spines > 0) {
    text.append(", " + fabric::counted(scenario.routing.dead_spines) + " dead spine(s)");
  }
  return text.append("\nbound: busbw " + fabric::number(forecast.bound_busbw) + " GB/s by the " +
                     forecast.bound_by + "\n");
}

std::string table_head(const std::string& before) {
  return before +
         finding::printed("%12s  %-18s %12s %10s %11s %7s  %-15s  %-22s %s\n", "size", "algorithm",
                          "time", "busbw", "at start", "step", "dominates", "band", "tier") +
         std::string(before.size(), ' ') +
         finding::printed("%12s  %-18s %12s %10s %11s %7s  %-15s  %-22s\n", "(B)", "", "(us)",
                          "(GB/s)", "(%)", "(%)", "", "(us)");
}

std::string table_of(const Forecast& forecast, const std::string& before) {
  std::string text;
  for (const Prediction& row : forecast.rows) {
    const std::string band = fabric::number(row.least_us) + " to " + fabric::number(row.most_us);
    text +=
        before + finding::printed("%12llu  %-18s %12.2f %10.3f %11.1f %7.1f  %-15s  %-22s %s\n",
                                  static_cast<unsigned long long>(row.bytes), row.algorithm.c_str(),
                                  row.time_us, row.busbw, 100 * row.aggregate, 100 * row.step,
                                  row.dominates.c_str(), band.c_str(), row.tier.c_str());
  }
  return text;
}

/// As wide as the axis and all its values.
std::string padded(std::string word, const Sweep& sweep) {
  std::size_t width = sweep.axis.size();
  for (const std::string& value : sweep.values) width = std::max(width, value.size());
  word.resize(width + 1, ' ');
  return word;
}

bool all_say(const std::vector<Forecast>& forecasts, const std::string& remark) {
  return std::ranges::all_of(forecasts, [&](const Forecast& one) {
    return std::ranges::find(one.remarks, remark) != one.remarks.end();
  });
}

}  // namespace

std::string as_text(const Forecast& forecast) {
  std::string text = head_of(forecast) + table_head("") + table_of(forecast, "");
  for (const std::string& remark : forecast.remarks) text.append(remark).append("\n");
  return text;
}

std::string as_text(const Sweep& sweep) {
  std::string text = table_head(padded(sweep.axis, sweep));
  for (std::size_t at = 0; at < sweep.forecasts.size(); ++at) {
    text += table_of(sweep.forecasts[at], padded(sweep.values[at], sweep));
  }
  for (const std::string& remark : sweep.forecasts.front().remarks) {
    if (all_say(sweep.forecasts, remark)) text.append(remark).append("\n");
  }
  return text;
}

std::string as_csv(const std::vector<Forecast>& forecasts) {
  std::string text =
      "collective,hosts,ranks,oversubscription,balance,queue_pairs,dead_spines,algorithm,bytes,"
      "microseconds,least_microseconds,most_microseconds,busbw,aggregate_at_start,"
      "step_efficiency,dominates,tier\n";
  for (const Forecast& forecast : forecasts) {
    const Scenario& scenario = forecast.scenario;
    const fabric::Count ranks = scenario.ranks.hosts * scenario.ranks.per_host;
    const std::string about = std::string(schedule::name(scenario.collective)) + "," +
                              std::to_string(scenario.ranks.hosts) + "," + std::to_string(ranks) +
                              "," + fabric::number(oversubscription(scenario.fabric)) + "," +
                              word_of(scenario.routing.balance) + "," +
                              std::to_string(scenario.routing.queue_pairs) + "," +
                              std::to_string(scenario.routing.dead_spines) + ",";
    for (const Prediction& row : forecast.rows) {
      text += about + row.algorithm + "," + std::to_string(row.bytes) +
              finding::printed(",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%s,\"%s\"\n", row.time_us,
                               row.least_us, row.most_us, row.busbw, row.aggregate, row.step,
                               row.dominates.c_str(), row.tier.c_str());
    }
  }
  return text;
}

std::string as_json_lines(const Sweep& sweep) {
  std::string text;
  for (std::size_t at = 0; at < sweep.forecasts.size(); ++at) {
    nlohmann::ordered_json json = as_json(sweep.forecasts[at]);
    json["sweep"] = {{"axis", sweep.axis}, {"value", sweep.values[at]}};
    text += json.dump() + "\n";
  }
  return text;
}

nlohmann::ordered_json as_json(const Forecast& forecast) {
  const Scenario& scenario = forecast.scenario;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Prediction& row : forecast.rows) {
    rows.push_back({{"algorithm", row.algorithm},
                    {"bytes", row.bytes},
                    {"microseconds", row.time_us},
                    {"least_microseconds", row.least_us},
                    {"most_microseconds", row.most_us},
                    {"busbw", row.busbw},
                    {"aggregate_at_start", row.aggregate},
                    {"step_efficiency", row.step},
                    {"dominates", row.dominates},
                    {"tier", row.tier}});
  }
  return {{"schema", "railgauge/prediction/1"},
          {"collective", schedule::name(scenario.collective)},
          {"hosts", scenario.ranks.hosts},
          {"ranks", scenario.ranks.hosts * scenario.ranks.per_host},
          {"oversubscription", oversubscription(scenario.fabric)},
          {"balance", word_of(scenario.routing.balance)},
          {"queue_pairs", scenario.routing.queue_pairs},
          {"dead_spines", scenario.routing.dead_spines},
          {"bound_busbw", forecast.bound_busbw},
          {"bound_by", forecast.bound_by},
          {"rows", rows},
          {"remarks", forecast.remarks}};
}

}  // namespace railgauge::predict
