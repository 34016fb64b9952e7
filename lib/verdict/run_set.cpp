#include "verdict/run_set.hpp"

#include <nlohmann/json.hpp>

#include "results/fields.hpp"
#include "telemetry/counters.hpp"
#include "verdict/nic_inventory.hpp"
#include "verdict/reference.hpp"
#include "verdict/repetitions.hpp"
#include "verdict/setting.hpp"

namespace railgauge::verdict {
namespace {

constexpr const char* kResult = "railgauge/result/1";
constexpr const char* kReference = "railgauge/reference/1";

std::vector<Nic> nics_of(const Json& rank) {
  std::vector<Nic> nics;
  for (const Json& rail : list(rank, "rails")) {
    const std::string port =
        wanted<std::string>(rail, "device") + "/" + std::to_string(wanted<int>(rail, "port"));
    nics.push_back({wanted<int>(rail, "rail"), port + " " + text_or_none(rail, "address"),
                    wanted<double>(rail, "link_gigabits_per_second")});
  }
  return nics;
}

NicInventory nic_inventory_of(const Json& document) {
  NicInventory nic_inventory;
  for (const Json& rank : list(document, "ranks")) {
    nic_inventory.add_rank(wanted<std::string>(rank, "host"), nics_of(rank));
  }
  return nic_inventory;
}

/// Whether the run was told that data between ranks of one host go through memory.
bool goes_by_memory(const Json& document) {
  const auto options = document.find("options");
  if (options == document.end() || !options->contains("same-host")) return false;
  return maybe<Json>((*options)["same-host"], "value").value_or(Json()) == "memory";
}

Run run_of(const Json& document, const NicInventory& nic_inventory, const Setting& setting) {
  Run run = nic_inventory.run(setting.rails, goes_by_memory(document));
  run.setting = setting;
  run.collective = wanted<std::string>(document, "collective");
  return run;
}

std::optional<Interval> interval_of(const Json& placement) {
  const auto stated = maybe<Json>(placement, "median_interval_us");
  if (!stated) return std::nullopt;
  return Interval{wanted<double>(*stated, "low_us"), wanted<double>(*stated, "high_us")};
}

void add_rails(const Json& placement, Point& point) {
  const auto imbalance = maybe<Json>(placement, "rail_imbalance");
  const auto percent = imbalance ? maybe<double>(*imbalance, "time_percent") : std::nullopt;
  if (!percent) return;
  point.slowest_rail = {.percent = *percent};
  double longest_us = 0;
  for (const Json& rail : list(placement, "rails")) {
    const double time_us = wanted<double>(rail, "p50_us");
    if (time_us <= longest_us) continue;
    longest_us = time_us;
    point.slowest_rail->rail = wanted<int>(rail, "rail");
  }
}

Point point_of(const Json& row, const Json& placement) {
  const Json time = wanted<Json>(placement, "time");
  Point point;
  point.size_bytes = wanted<std::uint64_t>(row, "size_bytes");
  point.type = wanted<std::string>(row, "type");
  point.op = wanted<std::string>(row, "op");
  point.algorithm = text_or_none(row, "algorithm");
  point.time_us = wanted<double>(time, "p50_us");
  point.p999_us = maybe<double>(time, "p999_us");
  point.algbw_gigabytes_per_second = maybe<double>(placement, "algbw_gigabytes_per_second");
  point.busbw_gigabytes_per_second = maybe<double>(placement, "busbw_gigabytes_per_second");
  point.median_interval = interval_of(placement);
  add_rails(placement, point);
  return point;
}

class ResultReader {
 public:
  explicit ResultReader(const Json& document)
      : document_(document), nic_inventory_(nic_inventory_of(document)) {}

  void row(const Json& row) {
    const Setting setting = setting_of(row);
    for (const BufferMode placement : {BufferMode::out_of_place, BufferMode::in_place}) {
      const std::string field(word(placement));
      const auto measured = maybe<Json>(row, field.c_str());
      if (!measured) continue;
      Point point = point_of(row, *measured);
      point.placement = placement;
      if (maybe<std::uint64_t>(*measured, "wrong").value_or(0) > 0) {
        failures.push_back(std::to_string(*point.size_bytes) + " bytes " + field +
                           ": elements are wrong");
      }
      const auto found =
          runs_.try_emplace(setting, run_of(document_, nic_inventory_, setting)).first;
      found->second.points.push_back(point);
    }
  }

  [[nodiscard]] std::vector<Run> runs() const {
    std::vector<Setting> settings;
    for (const auto& [setting, run] : runs_) settings.push_back(setting);
    std::vector<Run> all;
    for (const auto& [setting, run] : runs_) {
      all.push_back(run);
      all.back().name = in_words(setting, settings);
      all.back().points = without_repetitions(run.points);
    }
    return all;
  }

  std::vector<std::string> failures;

 private:
  const Json& document_;
  NicInventory nic_inventory_;
  std::map<Setting, Run> runs_;
};

std::map<std::string, std::int64_t> deltas_of(const telemetry::Counters& before,
                                              const telemetry::Counters& after) {
  std::map<std::string, std::int64_t> moves;
  for (const auto& [name, value] : after) {
    if (!before.contains(name)) continue;
    moves[name] = static_cast<std::int64_t>(value - before.at(name));
  }
  return moves;
}

std::vector<CounterDeltas> ports_of(const Json& document) {
  std::vector<CounterDeltas> ports;
  std::map<std::string, int> count;
  for (const Json& counters : list(document, "counters")) {
    CounterDeltas port;
    port.host = wanted<std::string>(counters, "host");
    port.port = port.host + " " + wanted<std::string>(counters, "device") + "/" +
                std::to_string(wanted<int>(counters, "port"));
    port.address = text_or_none(counters, "address");
    port.rail = maybe<int>(counters, "rail");
    port.deltas = deltas_of(wanted<telemetry::Counters>(counters, "before"),
                            wanted<telemetry::Counters>(counters, "after"));
    ports.push_back(port);
    ++count[port.port];
  }
  for (CounterDeltas& port : ports) {
    if (count[port.port] > 1 && !port.address.empty()) port.port += " " + port.address;
  }
  return ports;
}

RunSet of_result(const Json& document) {
  RunSet run_set;
  const auto status = wanted<std::string>(document, "status");
  if (status != "ok") {
    std::string why = "the run did not end well: " + status;
    for (const Json& reason : list(document, "reasons")) {
      const auto text = reason.get<std::string>();
      why += "; " +
             text.substr(0, text.find('\n'));  // what every channel waits for is in the document
    }
    run_set.failures.push_back(why);
  }
  ResultReader reader(document);
  for (const Json& row : list(document, "rows")) reader.row(row);
  run_set.runs = reader.runs();
  run_set.failures.insert(run_set.failures.end(), reader.failures.begin(), reader.failures.end());
  run_set.ports = ports_of(document);
  if (run_set.runs.empty()) run_set.failures.emplace_back("nothing was measured");
  return run_set;
}

}  // namespace

RunSet run_set_of(const Json& document, const std::string& name) {
  try {
    expect_schema(document, {kResult, kReference});
    RunSet run_set;
    if (document.at("schema") == kResult) {
      run_set = of_result(document);
    } else {
      run_set.runs = reference_of(document).runs;
    }
    run_set.name = name;
    return run_set;
  } catch (const std::exception& error) {
    throw std::runtime_error("cannot read " + name + ": " + error.what());
  }
}

}  // namespace railgauge::verdict
