#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <set>

#include "report/html.hpp"
#include "report/parts.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::report {
namespace {

/// Parts of the names that drivers give to what should not happen, for names that nobody knows.
constexpr std::array kErrors{"err",       "discard",    "drop",    "timeout",   "nak",
                             "retry",     "retrans",    "out_of_", "duplicate", "rnr",
                             "malformed", "unexpected", "downed",  "overflow"};

/// Whether a port's counter of that name counts what should not happen. Names are the drivers'.
bool counts_errors(const std::string& name) {
  if (const auto meaning = telemetry::meaning_of(name)) {
    // What was sent again though it had arrived tells of a loss on the way back.
    return telemetry::is_fault(meaning->counted) ||
           meaning->counted == telemetry::Counted::repetition;
  }
  return std::ranges::any_of(
      kErrors, [&](const char* part) { return name.find(part) != std::string::npos; });
}

using verdict::CounterDeltas;
using Ports = std::vector<CounterDeltas>;

std::set<std::string> counters_that_moved(const Ports& ports) {
  std::set<std::string> names;
  for (const CounterDeltas& port : ports) {
    for (const auto& [name, by] : port.deltas) {
      if (by != 0) names.insert(name);
    }
  }
  return names;
}

std::int64_t by(const CounterDeltas& port, const std::string& name) {
  const auto found = port.deltas.find(name);
  return found == port.deltas.end() ? 0 : found->second;
}

/// An error is an error; of other counters the shade says how much of the most a port has.
std::string shade(const std::string& name, std::int64_t value, std::int64_t most) {
  if (value == 0) return "";
  if (counts_errors(name)) return "bad";
  constexpr std::int64_t kShades = 4;
  return most > 0 && value > 0 ? "load-" + std::to_string(kShades * value / most) : "";
}

Row line(const Ports& ports, const std::string& name) {
  std::int64_t most = 0;
  for (const auto& port : ports) most = std::max(most, by(port, name));
  Row row{{name, counts_errors(name) ? "bad" : ""}};
  for (const auto& port : ports) {
    const std::int64_t value = by(port, name);
    row.push_back({value, shade(name, value, most)});
  }
  return row;
}

/// The same of many ports: how many moved, and those that did most and least.
Row summed_up(const Ports& ports, const std::string& name) {
  std::vector<std::int64_t> values;
  values.reserve(ports.size());
  for (const CounterDeltas& port : ports) values.push_back(by(port, name));
  const auto [least, most] = std::ranges::minmax_element(
      ports, {}, [&](const CounterDeltas& port) { return std::abs(by(port, name)); });
  const auto moved = std::ssize(values) - std::ranges::count(values, 0);
  std::ranges::sort(values);
  const std::string style = counts_errors(name) ? "bad" : "";
  return {{name, style},
          {std::to_string(moved) + " of " + std::to_string(values.size()), style},
          {std::accumulate(values.begin(), values.end(), std::int64_t{0}), style},
          values[values.size() / 2],
          {by(*most, name), style},
          most->port,
          by(*least, name),
          least->port};
}

}  // namespace

std::string counters_part(const verdict::RunSet& run_set) {
  constexpr std::size_t kMostPorts = 8;  // with a column each
  const Ports& ports = run_set.ports;
  if (ports.empty()) return "";
  std::vector<Row> rows;
  const std::set<std::string> names = counters_that_moved(ports);
  const bool few = ports.size() <= kMostPorts;
  for (const bool errors : {true, false}) {
    for (const std::string& name : names) {
      if (counts_errors(name) != errors) continue;
      rows.push_back(few ? line(ports, name) : summed_up(ports, name));
    }
  }
  if (rows.empty()) return section("Counters", "<p>No counter of any port moved.</p>\n");
  std::vector<std::string> head{"counter"};
  if (few) {
    for (const auto& port : ports) head.push_back(port.port);
  } else {
    head.insert(head.end(),
                {"ports that moved", "all ports", "median", "most", "at", "least", "at"});
  }
  return section("Counters", "<p>Those that moved, errors first.</p>\n" + table(head, rows));
}

}  // namespace railgauge::report
