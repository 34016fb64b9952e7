#include "soak/places.hpp"

#include <algorithm>
#include <utility>

namespace railgauge::soak {
namespace {

using finding::Cause;
using finding::Location;
using finding::Scope;

}  // namespace

bool is_of_own_past(Cause cause) {
  return cause == Cause::latency || cause == Cause::bandwidth;
}

PortKey key_of(const PortSample& port) {
  return {port.host, port.device, port.port, port.address};
}

Places::Places(const Header& header) : outage_percent_(header.outage_percent), plan_(header.plan) {
  for (const results::Rank& rank : header.ranks) {
    host_of_rank_.push_back(rank.host);
    for (const results::RankRail& rail : rank.rails) {
      software_ = software_ || rail.kind != results::DeviceKind::hardware;
      ours_ = ours_ && rail.firmware.starts_with("softroce");
      int& planes = planes_[rail.rail];
      planes = std::max(planes, rail.plane + 1);
      ranks_[{rank.host, rail.device, rail.port, rail.address}].push_back(rank.rank);
    }
  }
}

std::optional<int> Places::plane_of(int rail, int plane) const {
  const auto planes = planes_.find(rail);
  const bool several = planes != planes_.end() && planes->second > 1;
  return several ? std::optional(plane) : std::nullopt;
}

finding::Endpoint Places::endpoint(const PortSample& port) const {
  finding::Endpoint end{.host = port.host,
                        .device = port.device,
                        .port = port.port,
                        .rail = port.rail,
                        .plane = plane_of(port.rail, port.plane),
                        .address = port.address};
  if (const auto ranks = ranks_.find(key_of(port)); ranks != ranks_.end())
    end.ranks = ranks->second;
  return end;
}

Location Places::port(const PortSample& port, finding::Direction direction) const {
  return {.scope = Scope::port, .direction = direction, .at = endpoint(port)};
}

Location Places::path(const PortSample& from, const PortSample& to) const {
  return {.scope = Scope::path, .at = endpoint(from), .peer = endpoint(to)};
}

Location Places::rail(int rail, int plane) const {
  return {.scope = Scope::rail, .at = {.rail = rail, .plane = plane_of(rail, plane)}};
}

std::vector<Location> Places::processors(const std::set<int>& ranks) const {
  std::map<std::string, std::vector<int>> hosts;
  for (const int rank : ranks) {
    const auto at = static_cast<std::size_t>(rank);
    if (at < host_of_rank_.size()) hosts[host_of_rank_[at]].push_back(rank);
  }
  std::vector<Location> all;
  all.reserve(hosts.size());
  for (auto& [host, own] : hosts)
    all.push_back({.scope = Scope::processor, .at = {.host = host, .ranks = std::move(own)}});
  return all;
}

finding::Finding found_in(const Window& window, Cause cause, Location where) {
  return found_since({window.number, window.start}, window, cause, std::move(where));
}

finding::Finding found_since(const normal::Step& step, const Window& window, Cause cause,
                             Location where) {
  const std::uint64_t first = step.first_window;
  finding::Finding finding = finding::found("soak", cause, std::move(where));
  if (is_of_own_past(cause)) finding.severity = finding::Severity::warning;
  finding.certainty = finding::Certainty::confirmed;
  finding.when = finding::TimeWindow{.begin = step.begin,
                                     .end = window.end(),
                                     .window = first,
                                     .count = std::max(window.number, first) - first + 1};
  return finding;
}

}  // namespace railgauge::soak
