#include "benchmarks/railgauge/paths_command.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include "paths/source_port.hpp"
#include "paths/udp_prober.hpp"

namespace railgauge::benchmarks {
namespace {

constexpr int kMostLabels = 4096;
constexpr std::size_t kMostQueuePairs = 1024;
constexpr std::uint32_t kMostQueuePairNumber = 0xffffff;

topology::IpAddress address(const char* option, const std::string& text) {
  const auto parsed = topology::parse_ip_address(text);
  if (!parsed) {
    throw std::invalid_argument(std::string(option) + " " + text +
                                " is no IP address: give that of a RoCE port, such as 10.10.0.1");
  }
  return *parsed;
}

unsigned port_number(const std::string& text) {
  unsigned port = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc{} || stopped != end || port == 0 || port > 0xffff) {
    throw std::invalid_argument("--source-ports: " + text +
                                " is no port; take 49152,49160-49167 and the like");
  }
  return port;
}

/// "49152,49160-49167".
std::vector<std::uint16_t> ports_of(const std::string& list) {
  std::vector<std::uint16_t> ports;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    const std::size_t dash = word.find('-');
    const unsigned first = port_number(word.substr(0, dash));
    const unsigned last = dash == std::string::npos ? first : port_number(word.substr(dash + 1));
    if (last < first) throw std::invalid_argument("--source-ports: " + word + " runs backwards");
    for (unsigned port = first; port <= last; ++port)
      ports.push_back(static_cast<std::uint16_t>(port));
  }
  std::ranges::sort(ports);
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
  if (ports.empty() || ports.size() > kMostLabels) {
    throw std::invalid_argument("--source-ports takes from 1 to " + std::to_string(kMostLabels) +
                                " ports");
  }
  return ports;
}

}  // namespace

PathsCommand::PathsCommand(CLI::App& app)
    : command_(app.add_subcommand(
          "paths",
          "Which switches flows to a peer pass, by source port, and how to spread queue pairs")) {
  command_->add_option("peers", peers_, "Addresses of RDMA ports of other hosts: 10.10.0.5")
      ->required();
  command_->add_option("--source", from_,
                       "Address of this host's port (default: the one that routes choose)");
  CLI::Option* const labels =
      command_->add_option("--labels", labels_, "Try the source ports of this many flow labels")
          ->check(CLI::Range(1, kMostLabels))
          ->capture_default_str();
  command_
      ->add_option("--source-ports", source_ports_,
                   "Instead, the ports that queue pairs have: 49152,49160-49167; warns if all take "
                   "one path")
      ->excludes(labels);
  command_->add_option("--queue-pairs", queue_pairs_, "Spread this many over the paths")
      ->check(CLI::Range(std::size_t{1}, kMostQueuePairs))
      ->capture_default_str();
  command_
      ->add_option("--qp", queue_pair_,
                   "The destination's queue pair, for switches that choose by it, too")
      ->check(CLI::Range(1U, kMostQueuePairNumber));
  command_
      ->add_option("--traffic-class", traffic_class_,
                   "Of the data: DSCP times 4, as --traffic-class of the benchmarks")
      ->check(CLI::Range(0, 255))
      ->capture_default_str();
  command_
      ->add_option("--probe-rate", probe_rate_,
                   "Probes per second; switches answer some hundred for all who ask")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command_->add_flag("--json", json_, "As a document (railgauge/paths/1)");
}

std::vector<std::uint16_t> PathsCommand::source_ports() const {
  if (!source_ports_.empty()) return ports_of(source_ports_);
  std::vector<std::uint16_t> ports;
  ports.reserve(static_cast<std::size_t>(labels_));
  for (int label = 0; label < labels_; ++label)
    ports.push_back(static_cast<std::uint16_t>(paths::kFirstSourcePort + label));
  return ports;
}

paths::PathReport PathsCommand::trace(const std::string& peer) const {
  paths::PathReport report;
  report.to = address("peer", peer);
  report.from = from_.empty() ? paths::address_towards(report.to) : address("--source", from_);
  report.traffic_class = traffic_class_;
  report.queue_pairs = queue_pairs_;
  report.ports_are_in_use = !source_ports_.empty();
  if (queue_pair_ != 0) report.queue_pair = queue_pair_;
  if (report.from == report.to) {
    throw std::invalid_argument(peer + " is this host's own address: name a port of another host");
  }
  paths::UdpProber prober({.from = report.from,
                           .to = report.to,
                           .traffic_class = static_cast<std::uint8_t>(traffic_class_),
                           .probes_per_second = probe_rate_});
  report.trace = paths::trace(prober, {source_ports(), report.queue_pair});
  return report;
}

results::ExitCode PathsCommand::run(std::ostream& out) const {
  std::vector<paths::PathReport> reports;
  reports.reserve(peers_.size());
  for (const std::string& peer : peers_) reports.push_back(trace(peer));
  out << (json_ ? paths::as_json(reports) : paths::as_text(reports));
  const auto any = [&](paths::Told told) {
    return std::ranges::any_of(reports,
                               [&](const auto& report) { return paths::told(report) == told; });
  };
  const bool silent = std::ranges::any_of(
      reports, [](const auto& report) { return !report.trace.switches.has_value(); });
  if (silent || any(paths::Told::unknown)) return results::ExitCode::time_out;
  return any(paths::Told::none) ? results::ExitCode::verdict_failed : results::ExitCode::ok;
}

}  // namespace railgauge::benchmarks
