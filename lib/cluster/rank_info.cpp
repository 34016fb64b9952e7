#include "cluster/rank_info.hpp"

#include <unistd.h>

#include <algorithm>

#include "finding/words.hpp"
#include "job/exchanged_values.hpp"
#include "topology/ip_address.hpp"
#include "topology/nic_choice.hpp"

// What is exchanged of a host.
namespace railgauge::topology {

template <class Self, class Visit>
requires json::Is<Self, Nic>
void fields(Self& self, Visit& visit) {
  RAILGAUGE_VISIT(device, port, address, netdev, prefix_length, pci, gigabits_per_second,
                  speed_doubt, rail, plane, model, firmware, node_guid);
  visit("mtu", self.mtu_bytes);
  visit("node", self.numa_node);
  RAILGAUGE_VISIT(default_route, other_addresses, bond, bond_members, pci_gigabits_per_second,
                  pci_link, pci_at_limit, pci_degraded);
}

template <class Self, class Visit>
requires json::Is<Self, LeftOut>
void fields(Self& self, Visit& visit) {
  RAILGAUGE_VISIT(device, port, reason, remedy, pci, netdev, model, like_rails);
}

template <class Self, class Visit>
requires json::Is<Self, Host>
void fields(Self& self, Visit& visit) {
  RAILGAUGE_VISIT(name, rails, left_out);
}

}  // namespace railgauge::topology

namespace railgauge::cluster {
namespace {

results::DeviceKind kind_of(const verbs::Port& port) {
  using results::DeviceKind;
  if (!port.software) return DeviceKind::hardware;
  return port.has_shortcut() ? DeviceKind::software_shortcut : DeviceKind::software;
}

std::string hexadecimal(const verbs::Gid& gid) {
  std::string text;
  for (std::size_t i = 0; i < gid.size(); ++i) {
    text += finding::printed("%02x", gid[i]);
    if (i % 2 == 1 && i + 1 < gid.size()) text += ':';
  }
  return text;
}

int prefix_length(const std::string& address) {
  const auto parsed = topology::parse_ip_address(address);
  const auto length = parsed ? topology::prefix_length_of(*parsed) : std::nullopt;
  return length.value_or(parsed ? topology::address_bits(*parsed) : 0);
}

topology::Nic nic_of(const verbs::Port& port, const LocalHost& host) {
  topology::Nic nic{.device = port.device,
                    .port = port.number,
                    .address = port.address(),
                    .netdev = port.netdev(),
                    .prefix_length = prefix_length(port.address()),
                    .gigabits_per_second = port.gbps,
                    .mtu_bytes = port.mtu_bytes};
  topology::describe(nic, host.map);
  nic.firmware = port.firmware;
  if (const auto said = topology::mapped_place(host.named, port.device, port.number)) {
    nic.rail = said->rail;
    nic.plane = said->plane;
  }
  return nic;
}

results::RankRail rail_of(const verbs::Port& port, const topology::Nic& nic) {
  return {.rail = nic.rail,
          .device = nic.device,
          .port = nic.port,
          .netdev = nic.netdev,
          .address = nic.address,
          .gid = hexadecimal(port.gid->gid),
          .gid_index = port.gid->index,
          .mtu_bytes = nic.mtu_bytes,
          .link_gigabits_per_second = nic.gigabits_per_second,
          .kind = kind_of(port),
          .firmware = nic.firmware,
          .numa_node = nic.numa_node,
          .plane = nic.plane};
}

/// The first rail, from one on, that none of the ports before is on.
int free_rail(const std::vector<results::RankRail>& before, int rail) {
  while (std::ranges::count(before, rail, &results::RankRail::rail) > 0) ++rail;
  return rail;
}

/// Where a rank's port is: as its host has it, or else as its own options say, or in order.
topology::RailPlane place_of(const results::RankRail& rail, const topology::Host& host,
                             const std::vector<results::RankRail>& before) {
  const auto* const nic = topology::port_among(host.rails, rail.device, rail.port);
  const bool there = nic != nullptr;
  if (there && nic->rail >= 0) return rail_plane_of(*nic);
  if (!there && rail.rail >= 0) return {rail.rail, std::max(rail.plane, 0)};
  return {free_rail(before, there ? static_cast<int>(host.rails.size()) : 0), 0};
}

}  // namespace

RankInfo own_rank_info(const std::string& name, const LocalHost& host) {
  RankInfo info{.pid = getpid(), .host = {.name = name, .left_out = host.others}};
  for (const verbs::Port& port : host.ports) {
    info.host.rails.push_back(nic_of(port, host));
    info.rails.push_back(rail_of(port, info.host.rails.back()));
  }
  return info;
}

transport::Bytes bytes_of(const RankInfo& info) {
  return job::packed(info);
}

std::vector<RankInfo> gather_infos(transport::Exchange& exchange, const RankInfo& own) {
  return job::all_gather_values(exchange, own);
}

results::Rank rank_of(const RankInfo& info, int number, int local_rank,
                      const topology::Host& host) {
  results::Rank rank{
      .rank = number, .host = info.host.name, .pid = info.pid, .local_rank = local_rank};
  for (const results::RankRail& said : info.rails) {
    const topology::RailPlane place = place_of(said, host, rank.rails);
    rank.rails.push_back(said);
    rank.rails.back().rail = place.rail;
    rank.rails.back().plane = place.plane;
  }
  return rank;
}

}  // namespace railgauge::cluster
