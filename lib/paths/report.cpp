#include "paths/report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "finding/words.hpp"
#include "paths/source_port.hpp"
#include "paths/spread.hpp"

namespace railgauge::paths {
namespace {

template <class Numbers>
std::string list(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::vector<std::uint32_t> labels_of(const std::vector<std::uint16_t>& ports) {
  std::vector<std::uint32_t> labels;
  labels.reserve(ports.size());
  for (const std::uint16_t port : ports) labels.push_back(flow_label_of_port(port));
  return labels;
}

bool any_answer(const Trace& trace) {
  return std::ranges::any_of(trace.paths, [](const PortPath& path) {
    return std::ranges::any_of(path.switches, [](const auto& one) { return one.has_value(); });
  });
}

std::string no_way(const PathReport& report) {
  return "there is no route to " + to_string(report.to) + ": " +
         to_string(*report.trace.refused_by) + " reports it as unreachable";
}

/// Why there is no path to tell.
std::string why_nothing(const PathReport& report) {
  const Trace& trace = report.trace;
  const std::string peer = to_string(report.to);
  if (trace.paths.empty() && !trace.busy_ports.empty()) {
    return "all requested source ports are in use by other sockets of this host: give others with "
           "--source-ports";
  }
  if (trace.switches == 0) {
    return peer +
           " is reached without a router: bridges of one subnet do not reply; there is no path to "
           "trace";
  }
  if (trace.switches) {
    return peer + " is behind " + std::to_string(*trace.switches) +
           (*trace.switches == 1 ? " switch, which does not answer"
                                 : " switches, none of which answers") +
           ": ICMP time exceeded is disabled or filtered; paths are unknown";
  }
  if (trace.refused_by) return no_way(report);
  return "neither a switch nor " + peer +
         " answers probes: ICMP is filtered, or the peer is down; paths are unknown";
}

std::string distance(const PathReport& report) {
  const Trace& trace = report.trace;
  if (last_is_unheard(trace)) {
    return "no reply from the last hop before " + to_string(report.to) +
           ": a switch that does not answer, or " + to_string(report.to) +
           " itself, whose answers from there were lost, so that there are fewer switches";
  }
  if (trace.switches) return "";
  if (trace.refused_by) return no_way(report);
  return to_string(report.to) +
         " itself does not answer probes: it is down, packets to it are lost, or ICMP is filtered; "
         "it is behind at least the switches shown, and perhaps behind others";
}

/// Whether the switches that have answered tell paths: of a peer that nothing was heard of they are
/// only the beginning of the way, which may part behind them.
bool are_told(const Trace& trace) {
  if (distinct_paths(trace).ports.empty()) return false;
  return trace.switches || (trace.balance == Balance::by_port && !trace.refused_by);
}

std::string how_many(const PathReport& report, const DistinctPaths& paths) {
  const std::size_t ports = report.trace.paths.size() - paths.incomplete.size();
  const std::string of_ports = finding::counted(ports, "source port");
  if (report.ports_are_in_use && paths.ports.size() == 1 && ports > 1) {
    return "WARNING: all " + std::to_string(ports) +
           " source ports take one path: give queue pairs other flow labels";
  }
  std::vector<std::size_t> sizes;
  sizes.reserve(paths.ports.size());
  for (const auto& of_path : paths.ports) sizes.push_back(of_path.size());
  return finding::counted(paths.ports.size(), "path") + " of " + of_ports +
         "; on each: " + list(sizes);
}

std::string by_queue_pair(const PathReport& report) {
  if (report.queue_pair) {
    return "switches hash the destination queue pair too: these are the paths towards queue pair " +
           std::to_string(*report.queue_pair) + " only";
  }
  return "PATH UNKNOWN: switches hash the destination queue pair too, so a source port has no "
         "fixed path; --qp NUMBER traces towards one queue pair";
}

/// Where others have an answer from every switch, a link of these alone may be dead.
std::vector<std::string> cut_off(const DistinctPaths& paths) {
  std::vector<std::string> all;
  if (paths.ports.empty()) return all;
  for (const auto& [last, ports] : paths.cut_off) {
    all.push_back("source port" + std::string(ports.size() == 1 ? " " : "s ") + list(ports) +
                  " had no reply from behind " + to_string(last) +
                  ", although repeated, where others had one: not counted; their packets may be "
                  "lost behind " +
                  to_string(last) +
                  ", or switches rate-limit replies; if a lower --probe-rate finds the same ones, "
                  "look for a dead link");
  }
  return all;
}

std::string missing(const DistinctPaths& paths, const Trace& trace) {
  std::size_t count = paths.incomplete.size();
  for (const auto& [last, ports] : paths.cut_off) count -= paths.ports.empty() ? 0 : ports.size();
  if (count == 0) return "";
  return "the paths of " + finding::counted(count, "source port") + " of " +
         std::to_string(trace.paths.size()) +
         " are incomplete and not counted: switches rate-limit replies; try a lower --probe-rate";
}

void add(std::vector<std::string>& all, std::string one) {
  if (!one.empty()) all.push_back(std::move(one));
}

std::string series_setting(const std::string& name, const std::string& words,
                           const std::optional<PortSeries>& series, std::size_t queue_pairs) {
  if (!series) return "";
  return name + words + "   (" + finding::counted(series->paths, "path") + " with " +
         finding::counted(queue_pairs, "queue pair") + ")";
}

}  // namespace

Told told(const PathReport& report) {
  if (report.trace.switches == 0) return Told::none;
  if (!any_answer(report.trace)) return Told::unknown;
  switch (report.trace.balance) {
    case Balance::single:
    case Balance::by_port: return are_told(report.trace) ? Told::paths : Told::unknown;
    case Balance::by_queue_pair:
      if (!report.queue_pair) return Told::none;
      return are_told(report.trace) ? Told::paths : Told::unknown;
    case Balance::sprayed: return Told::none;
    case Balance::unknown: break;
  }
  return Told::unknown;
}

std::vector<std::string> remarks(const PathReport& report) {
  const Trace& trace = report.trace;
  std::vector<std::string> all;
  const bool answered = any_answer(trace);
  if (!answered) all.push_back(why_nothing(report));
  if (answered) add(all, distance(report));
  const DistinctPaths paths = distinct_paths(trace);
  if (trace.balance == Balance::sprayed) {
    all.push_back(
        "SPRAYED: the same packet takes another path each time. Source ports and flow labels have "
        "no effect, and no queue pair has a fixed path");
  }
  if (trace.balance == Balance::by_queue_pair) all.push_back(by_queue_pair(report));
  if (told(report) == Told::paths) {
    all.push_back(how_many(report, paths));
    if (trace.switches == 1) all.push_back("the path has one switch: there is no other path");
  }
  if (answered && told(report) == Told::unknown)
    all.emplace_back("PATHS UNKNOWN: no path is complete");
  for (std::string& one : cut_off(paths)) all.push_back(std::move(one));
  if (answered) add(all, missing(paths, trace));
  if (!trace.busy_ports.empty() && !trace.paths.empty()) {
    all.push_back("skipped, in use by other sockets of this host: source ports " +
                  list(trace.busy_ports));
  }
  return all;
}

std::vector<std::string> settings_of_programs(const PathReport& report) {
  std::vector<std::string> all;
  const DistinctPaths paths = distinct_paths(report.trace);
  const auto ports = spread(paths, report.queue_pairs);
  if (told(report) != Told::paths || ports.empty() || report.ports_are_in_use) return all;
  std::size_t on = std::min(paths.ports.size(), ports.size());
  all.push_back(finding::counted(ports.size(), "queue pair") + " on " +
                finding::counted(on, "path") + ": source ports " + list(ports) + ", flow labels " +
                list(labels_of(ports)));
  all.push_back("perftest   --flow_label=" + list(labels_of(ports)));
  all.push_back("Mooncake   MC_MLX5_QP_UDP_SPORTS=" + list(ports) + "   (mlx5)");
  const std::size_t count = report.queue_pairs;
  if (const auto ucx = series_from_first_port(paths, count)) {
    all.push_back(series_setting("UCX",
                                 "        UCX_IB_NUM_PATHS=" + std::to_string(count) +
                                     " UCX_IB_ROCE_PATH_FACTOR=" + std::to_string(ucx->step),
                                 ucx, count) +
                  "   (mlx5 transports: path i sends from 49152 + factor * i)");
  }
  if (const auto uccl = consecutive_ports(paths, count)) {
    all.push_back(series_setting("UCCL",
                                 "       UCCL_UDP_SPORT_BASE=" + std::to_string(uccl->first), uccl,
                                 count) +
                  "   (EP on mlx5; takes no list: if its queue pairs count up from there)");
  }
  all.emplace_back(
      "NCCL, RCCL have no such setting: the port follows from the numbers of queue pairs; more of "
      "them (NCCL_IB_QPS_PER_CONNECTION) have more ports");
  return all;
}

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
      << unsigned{report.traffic_class};
  if (report.trace.switches) {
    out << ", switches on the path: " << (last_is_unheard(report.trace) ? "at most " : "")
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
