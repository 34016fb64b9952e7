#include "verdict/run_set.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results/json_fields.hpp"
#include "telemetry/meaning.hpp"
#include "verdict/library.hpp"
#include "verdict/nic_inventory.hpp"

namespace railgauge::verdict {
namespace {

using results::CollectiveBody;
using results::CollectiveRow;
using results::Document;
using results::ExitCode;
using results::Measurement;
using results::PairsBody;
using results::ReachabilityBody;
using results::SoakBody;
using results::SweepPoint;

std::optional<SlowestRail> slowest_rail_of(const Measurement& measurement) {
  const auto percent = imbalance_of(measurement.rails).time_percent;
  if (!percent) return std::nullopt;
  const results::RailResult& late = results::slowest(measurement.rails);
  const bool planes =
      std::ranges::count(measurement.rails, late.rail, &results::RailResult::rail) > 1;
  return SlowestRail{static_cast<int>(late.rail), planes ? late.plane : -1, *percent};
}

Point point_of(const CollectiveRow& row, const results::Measured& measured) {
  const Measurement& found = measured.measurement;
  Point point;
  point.size_bytes = row.size_bytes;
  point.type = row.type;
  point.op = row.op;
  point.algorithm = row.algorithm;
  point.buffers = measured.mode;
  point.time_us = found.time.p50_us;
  if (found.time.min_us > 0) point.min_us = found.time.min_us;
  if (found.time.p90_us > 0) point.p90_us = found.time.p90_us;
  if (found.time.p999_us > 0) point.p999_us = found.time.p999_us;
  point.algbw_gigabytes_per_second = found.algbw_gigabytes_per_second;
  point.busbw_gigabytes_per_second = found.busbw_gigabytes_per_second;
  if (const auto& interval = found.median_interval) {
    point.median_interval = Interval{interval->low_us, interval->high_us};
  }
  point.slowest_rail = slowest_rail_of(found);
  point.waited_share = results::waited_share(row.rank_loads);
  return point;
}

/// The runs of a collective's result, by their sweep points.
class CollectiveRuns {
 public:
  CollectiveRuns(const Document& document, const CollectiveBody& body)
      : collective_(body.collective),
        by_memory_(option_text(document, "same-host") == "memory"),
        nic_inventory_(nic_inventory_of(document.ranks)) {
    for (const CollectiveRow& row : body.rows) add(row);
  }

  [[nodiscard]] std::vector<Run> runs() const {
    std::vector<SweepPoint> points;
    for (const auto& [point, run] : runs_) points.push_back(point);
    std::vector<Run> all;
    for (const auto& [point, run] : runs_) {
      all.push_back(run);
      all.back().name = in_words(point, points);
      all.back().points = without_repetitions(run.points);
    }
    return all;
  }

  std::vector<std::string> failures;

 private:
  void add(const CollectiveRow& row) {
    for (const results::Measured& measured : measurements_of(row)) {
      if (measured.measurement.wrong.value_or(0) > 0) {
        failures.push_back(std::to_string(row.size_bytes) + " bytes " +
                           std::string(word(measured.mode)) + ": elements are wrong");
      }
      const auto found = runs_.try_emplace(row.point, run_at(row.point)).first;
      found->second.points.push_back(point_of(row, measured));
    }
  }

  [[nodiscard]] Run run_at(const SweepPoint& point) const {
    Run run = nic_inventory_.run({point.rails.begin(), point.rails.end()}, by_memory_);
    run.point = point;
    run.collective = collective_;
    if (point.unreduced) run.not_a_target = kOfUnreduced;
    return run;
  }

  std::string collective_;
  bool by_memory_;  // whether ranks of one host exchange their data through memory
  NicInventory nic_inventory_;
  std::map<SweepPoint, Run> runs_;
};

void add_body(RunSet& run_set, const Document& document, const CollectiveBody& body) {
  const CollectiveRuns found(document, body);
  run_set.runs = found.runs();
  run_set.blamed = body.findings;
  run_set.knows_edges =
      std::ranges::any_of(body.rows, [](const CollectiveRow& row) { return !row.edges.empty(); });
  run_set.failures.insert(run_set.failures.end(), found.failures.begin(), found.failures.end());
}

void add_body(RunSet& run_set, const Document& /*document*/, const ReachabilityBody& body) {
  run_set.reachability = body;
}

void add_body(RunSet& run_set, const Document& /*document*/, const PairsBody& body) {
  run_set.pairs = body;
}

void add_body(RunSet& run_set, const Document& /*document*/, const SoakBody& body) {
  run_set.soak = body;
}

void add_body(RunSet& run_set, const Document& /*document*/, const results::IsolateBody& body) {
  run_set.isolate = body;
}

std::map<std::string, std::int64_t> deltas_of(const telemetry::Counters& before,
                                              const telemetry::Counters& after) {
  std::map<std::string, std::int64_t> moves;
  for (const auto& [name, value] : after) {
    if (!before.contains(name)) continue;
    moves[name] = telemetry::advance(name, before.at(name), value);
  }
  return moves;
}

std::vector<CounterDeltas> ports_of(const Document& document) {
  std::vector<CounterDeltas> ports;
  std::map<std::string, int> count;
  for (const results::PortCounters& counters : document.counters) {
    const std::string name =
        counters.host + " " + counters.device + "/" + std::to_string(counters.port);
    ports.push_back({name, counters.host, counters.address, counters.rail, counters.plane,
                     deltas_of(counters.before, counters.after)});
    ++count[name];
  }
  for (CounterDeltas& port : ports) {
    if (count[port.port] > 1 && !port.address.empty()) port.port += " " + port.address;
  }
  return ports;
}

std::vector<std::string> lost_planes_of(const Document& document) {
  std::vector<std::string> all;
  for (const results::LostPlane& one : document.lost_planes) {
    all.push_back(one.host + " " + one.device + "/" + std::to_string(one.port) + ", rail " +
                  std::to_string(one.rail) + " plane " + std::to_string(one.plane) + ": " +
                  one.reason);
  }
  return all;
}

/// A reachability test that found something against the fabric ended well: that is its finding. So
/// did a soak.
bool ended_well(const Document& document) {
  const bool judges = !std::holds_alternative<CollectiveBody>(document.body);
  return document.exit_code == ExitCode::ok ||
         (judges && document.exit_code == ExitCode::verdict_failed);
}

/// A soak that goes on, or that somebody ended, is as good as its windows were.
bool can_be_unfinished(const Document& document) {
  return std::holds_alternative<SoakBody>(document.body) &&
         (!document.exit_code || document.exit_code == ExitCode::interrupted);
}

/// The first line of the first reasons, of which a thousand ranks may have a thousand: what every
/// channel waited for is in the document.
std::string how_it_ended(const Document& document) {
  constexpr std::size_t kMostTold = 5;
  std::string text = "the run did not end well: " + status_of(document);
  const std::size_t told = std::min(document.reasons.size(), kMostTold);
  for (std::size_t at = 0; at < told; ++at) {
    const std::string& reason = document.reasons[at];
    text += "; " + reason.substr(0, reason.find('\n'));
  }
  const std::size_t left = document.reasons.size() - told;
  return left == 0 ? text : text + "; and " + std::to_string(left) + " more reasons";
}

bool is_software(const Document& document) {
  const auto is_one = [](const results::RankRail& rail) {
    return rail.kind != results::DeviceKind::hardware;
  };
  return std::ranges::any_of(document.ranks, [&](const results::Rank& rank) {
    return std::ranges::any_of(rank.rails, is_one);
  });
}

RunSet run_set_of(const Document& document) {
  RunSet run_set;
  if (can_be_unfinished(document)) {
    run_set.unfinished = how_it_ended(document);
  } else if (!ended_well(document)) {
    run_set.failures.push_back(how_it_ended(document));
  }
  std::visit([&](const auto& body) { add_body(run_set, document, body); }, document.body);
  run_set.ports = ports_of(document);
  run_set.software = is_software(document);
  run_set.lost_planes = lost_planes_of(document);
  if (row_count(document.body) == 0) run_set.failures.emplace_back("nothing was measured");
  return run_set;
}

RunSet run_set_of(const Reference& reference) {
  RunSet run_set{.runs = reference.runs};
  run_set.software = std::ranges::any_of(
      reference.runs, [](const Run& run) { return run.not_a_target == kOfSoftware; });
  return run_set;
}

}  // namespace

Input input_of(const nlohmann::ordered_json& document, const std::string& name) {
  try {
    if (results::is_result(document)) return results::read_document(document);
    results::expect_schema(document, {"railgauge/result/2", "railgauge/result/1",
                                      "railgauge/reachability/1", "railgauge/reference/1"});
    return reference_of(document);
  } catch (const results::PlacedError& error) {
    throw std::runtime_error("cannot read " + place_of(name, error.pointer()) + ": " +
                             error.what());
  } catch (const std::exception& error) {
    throw std::runtime_error("cannot read " + name + ": " + error.what());
  }
}

RunSet run_set_of(const Input& input, const std::string& name) {
  RunSet run_set = std::visit([](const auto& held) { return run_set_of(held); }, input);
  run_set.name = name;
  return run_set;
}

}  // namespace railgauge::verdict
