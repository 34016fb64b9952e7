#include <algorithm>
#include <set>

#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/port_errors.hpp"

namespace railgauge::report {
namespace {

std::set<std::string> moved(const Result& result) {
  std::set<std::string> names;
  for (const verdict::CounterDeltas& port : result.run_set.ports) {
    for (const auto& [name, by] : port.deltas) {
      if (by != 0) names.insert(name);
    }
  }
  return names;
}

std::int64_t by(const verdict::CounterDeltas& port, const std::string& name) {
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

std::vector<Cell> line(const Result& result, const std::string& name) {
  std::int64_t most = 0;
  for (const auto& port : result.run_set.ports) most = std::max(most, by(port, name));
  std::vector<Cell> row{{name, counts_errors(name) ? "bad" : ""}};
  for (const auto& port : result.run_set.ports) {
    const std::int64_t value = by(port, name);
    row.push_back({std::to_string(value), shade(name, value, most)});
  }
  return row;
}

}  // namespace

std::string counters_part(const Result& result) {
  if (result.run_set.ports.empty()) return "";
  std::vector<std::vector<Cell>> rows;
  const std::set<std::string> names = moved(result);
  for (const bool errors : {true, false}) {
    for (const std::string& name : names) {
      if (counts_errors(name) == errors) rows.push_back(line(result, name));
    }
  }
  if (rows.empty()) return section("Counters", "<p>No counter of any port moved.</p>\n");
  std::vector<std::string> head{"counter"};
  for (const auto& port : result.run_set.ports) head.push_back(port.port);
  return section("Counters", "<p>Those that moved, errors first.</p>\n" + table(head, rows));
}

}  // namespace railgauge::report
