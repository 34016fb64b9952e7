#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "json/codec.hpp"
#include "predict/prediction.hpp"

namespace railgauge::predict {
namespace {

const char* word_of(Balance balance) {
  static constexpr std::array kWords{"ecmp", "spray", "pinned", "adaptive"};
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

}  // namespace

std::string as_text(const Forecast& forecast) {
  std::string text = head_of(forecast);
  std::array<char, 240> line{};
  std::snprintf(line.data(), line.size(), "%12s  %-18s %12s %10s %11s %7s  %-15s  %-22s %s\n",
                "size", "algorithm", "time", "busbw", "at start", "step", "dominates", "band",
                "tier");
  text += line.data();
  std::snprintf(line.data(), line.size(), "%12s  %-18s %12s %10s %11s %7s  %-15s  %-22s\n", "(B)",
                "", "(us)", "(GB/s)", "(%)", "(%)", "", "(us)");
  text += line.data();
  for (const Prediction& row : forecast.rows) {
    const std::string band = fabric::number(row.least_us) + " to " + fabric::number(row.most_us);
    std::snprintf(
        line.data(), line.size(), "%12llu  %-18s %12.2f %10.3f %11.1f %7.1f  %-15s  %-22s %s\n",
        static_cast<unsigned long long>(row.bytes), row.algorithm.c_str(), row.time_us, row.busbw,
        100 * row.aggregate, 100 * row.step, row.dominates.c_str(), band.c_str(), row.tier.c_str());
    text += line.data();
  }
  for (const std::string& remark : forecast.remarks) text.append(remark).append("\n");
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
          {"balance", word_of(scenario.routing.balance)},
          {"queue_pairs", scenario.routing.queue_pairs},
          {"dead_spines", scenario.routing.dead_spines},
          {"bound_busbw", forecast.bound_busbw},
          {"bound_by", forecast.bound_by},
          {"rows", rows},
          {"remarks", forecast.remarks}};
}

}  // namespace railgauge::predict
