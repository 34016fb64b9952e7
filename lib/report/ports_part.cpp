#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "report/html.hpp"
#include "report/parts.hpp"
#include "results/rail_name.hpp"

namespace railgauge::report {
namespace {

/// Parts of the names that drivers give to what should not happen (the kernel's
/// Documentation/ABI/stable/sysfs-class-infiniband, mlx5's and rdma_rxe's hw_counters).
constexpr std::array kErrors{"err",       "discard",    "drop",    "timeout",   "nak",
                             "retry",     "retrans",    "out_of_", "duplicate", "rnr",
                             "malformed", "unexpected", "downed",  "overflow"};

/// Whether a port's counter of that name counts what should not happen. Names are the drivers'.
bool counts_errors(const std::string& name) {
  return std::ranges::any_of(
      kErrors, [&](const char* part) { return name.find(part) != std::string::npos; });
}

using verdict::CounterDeltas;
using Ports = std::vector<CounterDeltas>;

constexpr const char* kWhatPortsCounted =
    "<p>What every port counted while the run lasted, with warming up and whatever else went by "
    "it. The stronger the shade, the nearer to the most that one has.</p>\n";

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

bool drives(const results::Rank& rank, const CounterDeltas& port) {
  return rank.host == port.host &&
         std::ranges::any_of(rank.rails, [&](const results::RankRail& rail) {
           return rail.rail == port.rail && rail.plane == port.plane.value_or(rail.plane) &&
                  rail.address == port.address;
         });
}

/// "host0, rank 0, 1": who drives a port.
std::string drivers_of(const results::Document& document, const CounterDeltas& port) {
  std::string ranks;
  for (const results::Rank& rank : document.ranks) {
    if (drives(rank, port)) {
      ranks += (ranks.empty() ? ", rank " : ", ") + std::to_string(rank.rank);
    }
  }
  return port.host + ranks;
}

/// A rail, and a plane of it.
struct Place {
  int rail = 0;
  int plane = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes <=>'s own 0 for a pointer
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// Those who drive the same ports, and these by their rails.
struct Line {
  std::string drivers;
  std::map<Place, const CounterDeltas*> ports;
};

std::vector<Line> lines_of(const results::Document& document, const Ports& ports) {
  std::vector<Line> lines;
  for (const CounterDeltas& port : ports) {
    const std::string drivers = drivers_of(document, port);
    auto line = std::ranges::find(lines, drivers, &Line::drivers);
    if (line == lines.end()) line = lines.insert(lines.end(), {drivers, {}});
    line->ports[{*port.rail, port.plane.value_or(0)}] = &port;
  }
  return lines;
}

std::string load_shade(double value, double most, bool bad) {
  constexpr double kShades = 4;
  if (value <= 0) return "";
  return bad ? "bad"
             : "load-" + std::to_string(static_cast<int>(std::ceil(kShades * value / most)));
}

struct Map {
  const char* title;
  Value value;
  bool bad;  // anything but 0 is
};

std::string html_of(const Map& map, const std::vector<Line>& lines) {
  std::set<Place> places;
  double most = 0;
  for (const Line& line : lines) {
    for (const auto& [place, port] : line.ports) {
      places.insert(place);
      most = std::max(most, map.value(*port));
    }
  }
  std::vector<std::string> head{map.title};
  for (const Place& place : places) head.push_back(results::rail_name(place, places));
  std::vector<std::vector<Cell>> rows;
  for (const Line& line : lines) {
    rows.push_back({{line.drivers, ""}});
    for (const Place& place : places) {
      const auto found = line.ports.find(place);
      const bool there = found != line.ports.end();
      const double figure = there ? map.value(*found->second) : 0;
      rows.back().push_back({there ? number_text(figure) : "", load_shade(figure, most, map.bad)});
    }
  }
  return table(head, rows);
}

std::set<std::string> counters_that_moved(const Ports& ports) {
  std::set<std::string> names;
  for (const verdict::CounterDeltas& port : ports) {
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

std::vector<Cell> line(const Ports& ports, const std::string& name) {
  std::int64_t most = 0;
  for (const auto& port : ports) most = std::max(most, by(port, name));
  std::vector<Cell> row{{name, counts_errors(name) ? "bad" : ""}};
  for (const auto& port : ports) {
    const std::int64_t value = by(port, name);
    row.push_back({std::to_string(value), shade(name, value, most)});
  }
  return row;
}

}  // namespace

std::string rails_part(const results::Document& document, const verdict::RunSet& run_set) {
  const Ports& ports = run_set.ports;
  const auto on_no_rail = [](const CounterDeltas& port) { return !port.rail; };
  if (ports.empty() || std::ranges::any_of(ports, on_no_rail)) return "";
  const std::vector<Line> lines = lines_of(document, ports);
  std::string html;
  if (std::ranges::any_of(ports, [](const CounterDeltas& port) { return errors(port) > 0; })) {
    html += html_of({"errors", errors, true}, lines);
  }
  for (const Quantity& quantity : kQuantities) {
    const auto value = value_of(quantity, ports);
    if (value) html += html_of({quantity.title, *value, false}, lines);
  }
  return section(
      "Rails compared",
      html.empty() ? "" : kWhatPortsCounted + ("<div class=\"maps\">" + html + "</div>\n"));
}

std::string counters_part(const verdict::RunSet& run_set) {
  if (run_set.ports.empty()) return "";
  std::vector<std::vector<Cell>> rows;
  const std::set<std::string> names = counters_that_moved(run_set.ports);
  for (const bool errors : {true, false}) {
    for (const std::string& name : names) {
      if (counts_errors(name) == errors) rows.push_back(line(run_set.ports, name));
    }
  }
  if (rows.empty()) return section("Counters", "<p>No counter of any port moved.</p>\n");
  std::vector<std::string> head{"counter"};
  for (const auto& port : run_set.ports) head.push_back(port.port);
  return section("Counters", "<p>Those that moved, errors first.</p>\n" + table(head, rows));
}

}  // namespace railgauge::report
