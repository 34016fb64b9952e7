#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "report/html.hpp"
#include "report/lists.hpp"
#include "report/parts.hpp"
#include "results/rail_name.hpp"
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

constexpr const char* kWhatPortsCounted =
    "<p>What every port counted while the run lasted, with warming up and whatever else went by "
    "it. The stronger the shade, the nearer to the most that one has. Of many hosts those stand "
    "first that differ most from the others.</p>\n";

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
  std::vector<int> ranks;
  for (const results::Rank& rank : document.ranks) {
    if (drives(rank, port)) ranks.push_back(rank.rank);
  }
  return port.host + (ranks.empty() ? "" : ", rank " + listed(ranks));
}

/// A rail, and a plane of it.
struct Place {
  int rail = 0;
  int plane = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes <=>'s own 0 for a pointer
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// Those who drive the same ports, or a host, and the ports of each rail.
struct Line {
  std::string drivers;
  std::map<Place, std::vector<const CounterDeltas*>> ports;
};

template <class DriversOf>
std::vector<Line> lines_by(const Ports& ports, const DriversOf& drivers_of_port) {
  std::vector<Line> lines;
  std::map<std::string, std::size_t> places;
  for (const CounterDeltas& port : ports) {
    const std::string drivers = drivers_of_port(port);
    const auto [place, is_new] = places.try_emplace(drivers, lines.size());
    if (is_new) lines.push_back({drivers, {}});
    lines[place->second].ports[{*port.rail, port.plane.value_or(0)}].push_back(&port);
  }
  return lines;
}

/// Software devices are each process's own: many of them are taken by host.
std::vector<Line> lines_of(const results::Document& document, const Ports& ports) {
  constexpr std::size_t kMostLines = 128;
  std::vector<Line> lines =
      lines_by(ports, [&](const CounterDeltas& port) { return drivers_of(document, port); });
  if (lines.size() <= kMostLines) return lines;
  return lines_by(ports, [](const CounterDeltas& port) { return port.host; });
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

/// The figures of a map, by line and rail.
using Figures = std::vector<std::map<Place, double>>;

Figures figures_of(const Map& map, const std::vector<Line>& lines) {
  Figures figures;
  for (const Line& line : lines) {
    figures.emplace_back();
    for (const auto& [rail, ports] : line.ports) {
      double& sum = figures.back()[rail];
      for (const CounterDeltas* port : ports) sum += map.value(*port);
    }
  }
  return figures;
}

double median_of(const Figures& figures) {
  std::vector<double> all;
  for (const auto& line : figures) {
    for (const auto& [rail, figure] : line) all.push_back(figure);
  }
  std::ranges::sort(all);
  return all[all.size() / 2];
}

/// How far a line is from the others at the worst of its rails; of errors, how many it has.
double strangeness(const std::map<Place, double>& line, const Map& map, double median) {
  double most = 0;
  for (const auto& [rail, figure] : line) {
    // A counter that was reset meanwhile moved backwards.
    const double apart =
        std::abs(std::log((std::max(figure, 0.0) + 1) / (std::max(median, 0.0) + 1)));
    most = map.bad ? most + figure : std::max(most, apart);
  }
  return most;
}

/// The places of lines: as they are, or if they are many those first that differ most.
std::vector<std::size_t> order_of(const Figures& figures, const Map& map) {
  constexpr std::size_t kOnAScreen = 16;
  std::vector<std::size_t> places(figures.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (places.size() <= kOnAScreen) return places;
  const double median = median_of(figures);
  std::ranges::stable_sort(places, std::greater{}, [&](std::size_t place) {
    return strangeness(figures[place], map, median);
  });
  return places;
}

std::vector<Cell> cells_of(const std::map<Place, double>& line, const std::set<Place>& places,
                           double most, bool bad) {
  std::vector<Cell> cells;
  for (const Place& place : places) {
    const auto found = line.find(place);
    cells.push_back(found == line.end()
                        ? Cell{}
                        : Cell{number_text(found->second), load_shade(found->second, most, bad)});
  }
  return cells;
}

std::string html_of(const Map& map, const std::vector<Line>& lines) {
  const Figures figures = figures_of(map, lines);
  std::set<Place> places;
  double most = 0;
  for (const auto& line : figures) {
    for (const auto& [rail, figure] : line) {
      places.insert(rail);
      most = std::max(most, figure);
    }
  }
  std::vector<std::string> head{map.title};
  for (const Place& place : places) head.push_back(results::rail_name(place, places));
  std::vector<std::vector<Cell>> rows;
  for (const std::size_t place : order_of(figures, map)) {
    rows.push_back({{lines[place].drivers, ""}});
    const std::vector<Cell> cells = cells_of(figures[place], places, most, map.bad);
    rows.back().insert(rows.back().end(), cells.begin(), cells.end());
  }
  return element("div", ranked_table(head, rows, "hosts"));
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

/// The same of many ports: how many moved, and the one that did most.
std::vector<Cell> summed_up(const Ports& ports, const std::string& name) {
  std::vector<std::int64_t> values;
  std::int64_t sum = 0;
  const CounterDeltas* most = &ports.front();
  for (const CounterDeltas& port : ports) {
    values.push_back(by(port, name));
    sum += values.back();
    if (std::abs(by(port, name)) > std::abs(by(*most, name))) most = &port;
  }
  std::ranges::sort(values);
  const auto moved_ports =
      static_cast<std::ptrdiff_t>(values.size()) - std::ranges::count(values, 0);
  const std::string style = counts_errors(name) ? "bad" : "";
  return {{name, style},
          {std::to_string(moved_ports) + " of " + std::to_string(values.size()), style},
          {std::to_string(sum), style},
          {std::to_string(values[values.size() / 2]), ""},
          {std::to_string(by(*most, name)), style},
          {most->port, ""}};
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
  constexpr std::size_t kMostPorts = 8;  // with a column each
  const Ports& ports = run_set.ports;
  if (ports.empty()) return "";
  std::vector<std::vector<Cell>> rows;
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
    head.insert(head.end(), {"ports that moved", "all ports", "median", "most", "at"});
  }
  return section("Counters", "<p>Those that moved, errors first.</p>\n" + table(head, rows));
}

}  // namespace railgauge::report
