#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/port_errors.hpp"
#include "results/fields.hpp"

namespace railgauge::report {
namespace {

using verdict::CounterDeltas;
using Ports = std::vector<CounterDeltas>;

constexpr const char* kWhatPortsCounted =
    "<p>What every port counted while the run lasted, with warming up and whatever else went by "
    "it. "
    "The stronger the shade, the nearer to the most that one has.</p>\n";

constexpr double kMegabytesPerWord = 4e-6;  // telemetry/counters.hpp
constexpr double kMegabytesPerByte = 1e-6;

/// A counter, and how much of the quantity one of it is. Drivers differ in those they have.
struct Counter {
  const char* name;
  double worth;
};

struct Quantity {
  const char* title;
  std::array<Counter, 2> counters;  // the first that moved anywhere tells it
};

constexpr std::array kQuantities{
    Quantity{"MB sent",
             {{{"port_xmit_data", kMegabytesPerWord}, {"sent_bytes", kMegabytesPerByte}}}},
    Quantity{"MB received",
             {{{"port_rcv_data", kMegabytesPerWord}, {"rcvd_bytes", kMegabytesPerByte}}}},
    Quantity{"packets sent", {{{"port_xmit_packets", 1}, {"sent_pkts", 1}}}},
    Quantity{"packets received", {{{"port_rcv_packets", 1}, {"rcvd_pkts", 1}}}}};

using Value = std::function<double(const CounterDeltas&)>;

double moved(const CounterDeltas& port, const char* counter) {
  const auto found = port.deltas.find(counter);
  return found == port.deltas.end() ? 0 : static_cast<double>(found->second);
}

std::optional<Value> value_of(const Quantity& quantity, const Ports& ports) {
  for (const auto& [name, worth] : quantity.counters) {
    const auto moves = [&name = name](const CounterDeltas& port) { return moved(port, name) != 0; };
    if (std::ranges::none_of(ports, moves)) continue;
    return [name = name, worth = worth](const CounterDeltas& port) {
      return worth * moved(port, name);
    };
  }
  return std::nullopt;
}

double errors(const CounterDeltas& port) {
  double sum = 0;
  for (const auto& [name, by] : port.deltas) {
    if (counts_errors(name)) sum += static_cast<double>(std::abs(by));
  }
  return sum;
}

/// "host0, rank 0, 1": who drives a port.
std::string drivers_of(const Json& document, const CounterDeltas& port) {
  std::string ranks;
  for (const Json& rank : verdict::list(document, "ranks")) {
    for (const Json& rail : verdict::list(rank, "rails")) {
      if (verdict::text_or_none(rank, "host") != port.host ||
          verdict::maybe<int>(rail, "rail") != port.rail ||
          verdict::text_or_none(rail, "address") != port.address) {
        continue;
      }
      ranks +=
          (ranks.empty() ? ", rank " : ", ") + std::to_string(verdict::wanted<int>(rank, "rank"));
    }
  }
  return port.host + ranks;
}

/// Those who drive the same ports, and these by their rails.
struct Line {
  std::string drivers;
  std::map<int, const CounterDeltas*> ports;
};

std::vector<Line> lines_of(const Result& result) {
  std::vector<Line> lines;
  for (const CounterDeltas& port : result.run_set.ports) {
    const std::string drivers = drivers_of(result.document, port);
    auto line = std::ranges::find(lines, drivers, &Line::drivers);
    if (line == lines.end()) line = lines.insert(lines.end(), {drivers, {}});
    line->ports[*port.rail] = &port;
  }
  return lines;
}

std::string shade(double value, double most, bool bad) {
  constexpr double kShades = 4;
  if (value <= 0) return "";
  return bad ? "bad"
             : "load-" + std::to_string(static_cast<int>(std::ceil(kShades * value / most)));
}

std::string map_of(const std::string& title, const Result& result, const Value& value, bool bad) {
  const Ports& ports = result.run_set.ports;
  std::set<int> rails;
  double most = 0;
  for (const CounterDeltas& port : ports) {
    rails.insert(*port.rail);
    most = std::max(most, value(port));
  }
  std::vector<std::string> head{title};
  for (const int rail : rails) head.push_back("rail " + std::to_string(rail));
  std::vector<std::vector<Cell>> rows;
  for (const Line& line : lines_of(result)) {
    rows.push_back({{line.drivers, ""}});
    for (const int rail : rails) {
      const auto found = line.ports.find(rail);
      const bool there = found != line.ports.end();
      const double figure = there ? value(*found->second) : 0;
      rows.back().push_back({there ? number_text(figure) : "", shade(figure, most, bad)});
    }
  }
  return table(head, rows);
}

}  // namespace

std::string rails_part(const Result& result) {
  const Ports& ports = result.run_set.ports;
  const auto on_no_rail = [](const CounterDeltas& port) { return !port.rail; };
  if (ports.empty() || std::ranges::any_of(ports, on_no_rail)) return "";
  std::string html;
  if (std::ranges::any_of(ports, [](const CounterDeltas& port) { return errors(port) > 0; })) {
    html += map_of("errors", result, errors, true);
  }
  for (const Quantity& quantity : kQuantities) {
    if (const auto value = value_of(quantity, ports)) {
      html += map_of(quantity.title, result, *value, false);
    }
  }
  return section(
      "Rails beside each other",
      html.empty() ? "" : kWhatPortsCounted + ("<div class=\"maps\">" + html + "</div>\n"));
}

}  // namespace railgauge::report
