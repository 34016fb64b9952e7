#include "paths/report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "paths/source_port.hpp"
#include "paths/spread.hpp"

namespace railgauge::paths {
namespace {

using Json = nlohmann::ordered_json;

std::string hop_text(const std::optional<topology::IpAddress>& hop) {
  return hop ? to_string(*hop) : "*";
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string label_text(std::uint16_t port) {
  return port >= kFirstSourcePort ? std::to_string(flow_label_of_port(port)) : "-";
}

/// None where no path is told.
DistinctPaths numbered_paths(const PathReport& report) {
  return told(report) == Told::unknown ? DistinctPaths{} : distinct_paths(report.trace);
}

void add_row(const PortPath& path, const DistinctPaths& paths, std::ostream& out) {
  constexpr std::size_t kPort = 13;
  constexpr std::size_t kLabel = 11;
  constexpr std::size_t kPath = 5;
  const auto number = paths.path_of(path.source_port);
  out << padded(std::to_string(path.source_port), kPort) << " "
      << padded(label_text(path.source_port), kLabel) << " "
      << padded(number ? std::to_string(*number) : "?", kPath) << " ";
  for (const auto& hop : path.switches) out << " " << hop_text(hop);
  out << "\n";
}

void add_text(const PathReport& report, std::ostream& out) {
  out << "# " << to_string(report.from) << " -> " << to_string(report.to) << ", traffic class "
      << report.traffic_class;
  if (report.trace.switches) {
    out << ", switches on the way: " << (last_is_unheard(report.trace) ? "at most " : "")
        << *report.trace.switches;
  }
  out << "\n";
  if (report.trace.heard > 0) {
    const DistinctPaths paths = numbered_paths(report);
    out << "# source port  flow label  path  switches\n";
    for (const PortPath& path : report.trace.paths) add_row(path, paths, out);
  }
  for (const std::string& remark : remarks(report)) out << "# " << remark << "\n";
  for (const std::string& setting : settings_of_programs(report)) out << "# " << setting << "\n";
}

std::string word(Balance balance) {
  switch (balance) {
    case Balance::unknown: return "unknown";
    case Balance::single: return "single";
    case Balance::by_port: return "by-port";
    case Balance::by_queue_pair: return "by-queue-pair";
    case Balance::sprayed: return "sprayed";
  }
  return "";
}

Json path_json(const PortPath& path, const DistinctPaths& paths) {
  Json switches = Json::array();
  for (const auto& hop : path.switches)
    switches.push_back(hop ? Json(to_string(*hop)) : Json(nullptr));
  const auto number = paths.path_of(path.source_port);
  Json one{{"source_port", path.source_port}};
  if (path.source_port >= kFirstSourcePort)
    one["flow_label"] = flow_label_of_port(path.source_port);
  one["path"] = number ? Json(*number) : Json(nullptr);
  one["switches"] = std::move(switches);
  return one;
}

Json report_json(const PathReport& report) {
  const DistinctPaths paths = numbered_paths(report);
  Json ports = Json::array();
  for (const PortPath& path : report.trace.paths) ports.push_back(path_json(path, paths));
  const bool known = told(report) == Told::paths;
  return {{"from", to_string(report.from)},
          {"to", to_string(report.to)},
          {"probe_traffic_class", report.traffic_class},
          {"switches", report.trace.switches ? Json(*report.trace.switches) : Json(nullptr)},
          {"balance", word(report.trace.balance)},
          {"paths", known ? Json(paths.ports.size()) : Json(nullptr)},
          {"source_ports", std::move(ports)},
          {"busy_ports", report.trace.busy_ports},
          {"spread", known ? Json(spread(paths, report.queue_pairs)) : Json::array()},
          {"remarks", remarks(report)}};
}

}  // namespace

std::string as_text(const std::vector<PathReport>& reports) {
  std::ostringstream out;
  for (const PathReport& report : reports) add_text(report, out);
  return out.str();
}

std::string as_json(const std::vector<PathReport>& reports) {
  Json pairs = Json::array();
  for (const PathReport& report : reports) pairs.push_back(report_json(report));
  return Json{{"schema", "railgauge/paths/1"}, {"pairs", std::move(pairs)}}.dump(2) + "\n";
}

}  // namespace railgauge::paths
