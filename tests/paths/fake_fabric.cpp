#include "paths/fake_fabric.hpp"

#include <algorithm>

#include "paths/source_port.hpp"

namespace railgauge::paths {

topology::IpAddress address(int number) {
  return topology::ipv4_address({10, 0, 0, static_cast<std::uint8_t>(number)});
}

topology::IpAddress switch_address(int place, int which) {
  return topology::ipv4_address(
      {10, 1, static_cast<std::uint8_t>(place), static_cast<std::uint8_t>(which)});
}

int FakeFabric::spine_of(const Probe& probe) {
  std::uint32_t hash = probe.source_port;
  if (hashes_queue_pair) hash += 7 * probe.queue_pair.value_or(0);
  if (sprays) hash += static_cast<std::uint32_t>(asked_);
  if (rehashes_at > 0 && asked_ > rehashes_at) hash += 1;
  return static_cast<int>(hash * 2654435761U >> 16U) % spines;
}

std::optional<Answer> FakeFabric::answer(const Probe& probe) {
  std::optional<Answer> none;
  ++asked_;
  if (unreachable && probe.ttl > 1) return Answer{Answer::Kind::refused, switch_address(1, 0)};
  if (probe.ttl > 1 && !passes_spine(probe)) return none;
  if (probe.ttl > switches) {
    if (lost_arrivals[probe.ttl]-- > 0) return none;
    if (probe.queue_pair || !peer_answers || peer_answers_lost-- > 0) return none;
    if (peer_answers_left == 0) return none;
    --peer_answers_left;
    return Answer{Answer::Kind::arrived, address(2)};
  }
  if (silent.contains(probe.ttl) || asked_ % answers_every != 0) return none;
  const bool in_the_middle = probe.ttl > 1 && probe.ttl < switches;
  return Answer{Answer::Kind::expired,
                switch_address(probe.ttl, in_the_middle ? spine_of(probe) : 0)};
}

std::vector<std::optional<Answer>> FakeFabric::ask(std::span<const Probe> probes) {
  std::vector<std::optional<Answer>> answers;
  answers.reserve(probes.size());
  for (const Probe& probe : probes) {
    if (probe.queue_pair) farthest_to_roce_ = std::max(farthest_to_roce_, probe.ttl);
    Probe asked = probe;
    if (swaps_answers && probe.queue_pair && probe.ttl == switches) --asked.ttl;
    answers.push_back(answer(asked));
  }
  return answers;
}

std::vector<std::uint16_t> ports(int count) {
  std::vector<std::uint16_t> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int port = 0; port < count; ++port)
    all.push_back(static_cast<std::uint16_t>(kFirstSourcePort + port));
  return all;
}

PathReport report_of(FakeFabric& fabric, int count) {
  PathReport report;
  report.from = address(1);
  report.to = address(2);
  report.trace = trace(fabric, {.source_ports = ports(count)});
  return report;
}

}  // namespace railgauge::paths
