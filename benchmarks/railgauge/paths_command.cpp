#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "finding/words.hpp"
#include "options/shared.hpp"
#include "paths/report.hpp"
#include "paths/source_port.hpp"
#include "paths/udp_prober.hpp"

namespace railgauge::benchmarks {
namespace {

constexpr std::size_t kMostLabels = 4096;
constexpr std::int64_t kMostQueuePairs = 1024;
constexpr std::int64_t kMostQueuePairNumber = 0xffffff;
constexpr std::int64_t kMostBytes = 65535;

topology::IpAddress address(const char* option, const std::string& text) {
  const auto parsed = topology::parse_ip_address(text);
  if (!parsed) {
    throw std::invalid_argument(
        std::string(option) + " " + text +
        " is not an IP address: give the address of a RoCE port, such as 10.10.0.1");
  }
  return *parsed;
}

unsigned port_number(const std::string& text) {
  unsigned port = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc{} || stopped != end || port == 0 || port > 0xffff) {
    throw std::invalid_argument("--source-ports: " + text +
                                " is not a port or a range of ports, such as 49152,49160-49167");
  }
  return port;
}

/// "49152,49160-49167".
std::vector<std::uint16_t> ports_of(const std::string& list) {
  std::vector<std::uint16_t> ports;
  for (const std::string& word : finding::split(list)) {
    const std::size_t dash = word.find('-');
    const unsigned first = port_number(word.substr(0, dash));
    const unsigned last = dash == std::string::npos ? first : port_number(word.substr(dash + 1));
    if (last < first)
      throw std::invalid_argument("--source-ports: " + word + " is a descending range");
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

class PathsCommand final : public Command {
 public:
  PathsCommand()
      : Command(
            {.program = "railgauge paths",
             .about = "Trace ECMP paths to a peer by UDP source port",
             .examples = {{"railgauge paths 10.10.0.8 --source 10.10.0.1 --queue-pairs 8",
                           "Trace paths, and choose source ports that spread 8 queue pairs"}}}) {
    table().arguments("peers", peers_);
    table().scalar("--source", from_, options::text("ADDRESS"),
                   "Address of the local RoCE port (default: the one that routing chooses)");
    table().scalar(options::traced_source_ports(), labels_);
    table().scalar("--source-ports", source_ports_, options::text("PORTS"),
                   "Trace these ports, which queue pairs already use, instead: 49152,49160-49167. "
                   "Warns if all take one path");
    table().scalar("--queue-pairs", queue_pairs_, options::whole<std::size_t>(1, kMostQueuePairs),
                   "Number of queue pairs to spread over the paths");
    table().optional("--qp", queue_pair_, options::whole<std::uint32_t>(1, kMostQueuePairNumber),
                     "Destination queue pair number, for switches that hash it too");
    table().scalar(options::traffic_class(), traffic_class_);
    table().scalar(
        "--packet-bytes", packet_bytes_, options::whole<std::uint32_t>(0, kMostBytes),
        "Size of the probes' IP packets, not to be fragmented: 4160 as of RoCE with an MTU "
        "of 4096. Where the path is narrower, the last switch before it is named; 0: small");
    table().scalar(options::probe_rate(), probe_rate_);
    table().flag(options::json("railgauge/paths/1"), json_);
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  [[nodiscard]] std::vector<std::uint16_t> source_ports() const;
  [[nodiscard]] paths::PathReport trace(const std::string& peer) const;

  std::vector<std::string> peers_;
  std::string from_;
  int labels_ = 64;
  std::string source_ports_;
  std::size_t queue_pairs_ = 4;
  std::optional<std::uint32_t> queue_pair_;
  std::uint8_t traffic_class_ = 0;
  std::uint32_t packet_bytes_ = 0;
  int probe_rate_ = 100;
  bool json_ = false;
};

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
  report.queue_pair = queue_pair_;
  if (report.from == report.to) {
    throw std::invalid_argument(peer + " is an address of this host: give a port of another host");
  }
  paths::UdpProber prober({.from = report.from,
                           .to = report.to,
                           .traffic_class = traffic_class_,
                           .packet_bytes = packet_bytes_,
                           .probes_per_second = probe_rate_});
  report.trace = paths::trace(prober, {source_ports(), report.queue_pair});
  return report;
}

results::ExitCode PathsCommand::run(std::ostream& out, std::ostream& /*remarks*/) const {
  if (table().given("labels") && table().given("source-ports")) {
    throw std::invalid_argument("--labels and --source-ports: give one of the two");
  }
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

}  // namespace

std::unique_ptr<Command> paths_command() {
  return std::make_unique<PathsCommand>();
}

}  // namespace railgauge::benchmarks
