#include "experiments/collective/path_spread.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "paths/report.hpp"
#include "paths/source_port.hpp"
#include "paths/spread.hpp"
#include "paths/udp_prober.hpp"

namespace railgauge::runner {
namespace {

/// 64 paths are all seen with three times as many ports or so; fabrics have four to 32.
constexpr int kSourcePorts = 64;

paths::TraceRequest request() {
  paths::TraceRequest made;
  made.source_ports.reserve(kSourcePorts);
  for (int port = 0; port < kSourcePorts; ++port)
    made.source_ports.push_back(static_cast<std::uint16_t>(paths::kFirstSourcePort + port));
  return made;
}

paths::PathReport traced(const std::string& from, const std::string& to,
                         std::uint8_t traffic_class) {
  paths::PathReport report;
  report.from = topology::parse_ip_address(from).value_or(report.from);
  report.to = topology::parse_ip_address(to).value_or(report.to);
  report.traffic_class = traffic_class;
  paths::UdpProber prober({.from = report.from, .to = report.to, .traffic_class = traffic_class});
  report.trace = paths::trace(prober, request());
  return report;
}

const results::RankRail* port_like(const results::RankRail& port, const results::Rank& rank) {
  const auto found = std::ranges::find_if(rank.rails, [&](const results::RankRail& one) {
    return one.rail == port.rail && one.plane == port.plane;
  });
  return found == rank.rails.end() ? nullptr : &*found;
}

}  // namespace

std::size_t turn_of(const std::vector<results::Rank>& ranks, transport::Rank own,
                    const results::RankRail& port) {
  const std::pair mine(topology::parse_ip_address(port.address), own);
  std::size_t before = 0;
  for (transport::Rank rank = 0; rank < ranks.size(); ++rank) {
    const results::RankRail* const other = port_like(port, ranks[rank]);
    if (other == nullptr) continue;
    before += std::pair(topology::parse_ip_address(other->address), rank) < mine ? 1 : 0;
  }
  return before;
}

std::uint32_t PathSpread::label(transport::Rank peer, const results::RankRail& port,
                                std::uint8_t traffic_class, unsigned number) {
  const std::string* const to = address_of(peer, port);
  if (to == nullptr) return 0;
  const auto [entry, is_new] = known_.try_emplace({port.address, *to, traffic_class});
  Labels& labels = entry->second;
  if (is_new) labels = trace(port.address, *to, traffic_class);
  if (labels.empty()) return 0;
  if (is_new) {
    const std::size_t first = turn_of(ranks_, own_, port) % labels.size();
    std::rotate(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(first), labels.end());
  }
  return labels[number % labels.size()];
}

void PathSpread::connected(verbs::SourcePort port) {
  if (port == verbs::SourcePort::set && !std::exchange(set_, true)) {
    notes_.emplace_back(
        "--spread-paths: UDP source ports were set by mlx5dv_modify_qp_udp_sport()");
  }
  if (port == verbs::SourcePort::assumed && !std::exchange(assumed_, true)) {
    notes_.emplace_back(
        "--spread-paths: UDP source ports are assumed to be those that the kernel's rule makes of "
        "flow labels; no verb tells");
  }
}

std::vector<std::string> PathSpread::take_notes() {
  return std::exchange(notes_, {});
}

const std::string* PathSpread::address_of(transport::Rank peer,
                                          const results::RankRail& port) const {
  if (ranks_[peer].host == ranks_[own_].host) return nullptr;
  const results::RankRail* const found = port_like(port, ranks_[peer]);
  return found == nullptr ? nullptr : &found->address;
}

PathSpread::Labels PathSpread::trace(const std::string& from, const std::string& to,
                                     std::uint8_t traffic_class) {
  Labels labels;
  try {
    const paths::PathReport report = traced(from, to, traffic_class);
    if (paths::told(report) == paths::Told::paths) {
      for (const std::uint16_t port : paths::port_of_each_path(report.trace))
        labels.push_back(paths::flow_label_of_port(port));
    } else {
      notes_.push_back("--spread-paths has no effect from " + from + " to " + to + ": " +
                       paths::remarks(report).front());
    }
  } catch (const std::exception& error) {
    notes_.push_back("--spread-paths has no effect from " + from + " to " + to + ": " +
                     error.what());
  }
  return labels;
}

}  // namespace railgauge::runner
