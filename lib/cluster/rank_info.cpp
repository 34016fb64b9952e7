#include "cluster/rank_info.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "topology/ip_address.hpp"

namespace railgauge::cluster {
namespace {

using transport::short_text;

results::DeviceKind kind_of(const verbs::Port& port) {
  using results::DeviceKind;
  if (!port.software) return DeviceKind::hardware;
  return port.has_shortcut() ? DeviceKind::software_shortcut : DeviceKind::software;
}

std::string hexadecimal(const verbs::Gid& gid) {
  std::string text;
  for (std::size_t i = 0; i < gid.size(); ++i) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x", gid[i]);
    text += digits;
    if (i % 2 == 1 && i + 1 < gid.size()) text += ':';
  }
  return text;
}

int prefix_length(const std::string& address) {
  const auto parsed = topology::parse_ip_address(address);
  const auto length = parsed ? topology::prefix_length_of(*parsed) : std::nullopt;
  return length.value_or(parsed ? topology::address_bits(*parsed) : 0);
}

RankInfo rail_info(const verbs::Port& rail, const LocalHost& host) {
  const topology::HostMap& map = host.map;
  RankInfo info;
  info.device = short_text(rail.device);
  info.netdev = short_text(rail.netdev());
  info.address = short_text(rail.address());
  info.gid = short_text(hexadecimal(rail.gid->gid));
  info.port = rail.number;
  info.gid_index = rail.gid->index;
  info.mtu_bytes = rail.mtu_bytes;
  info.prefix_length = prefix_length(rail.address());
  info.link_gigabits_per_second = rail.gbps;
  info.kind = kind_of(rail);
  info.firmware = short_text(rail.firmware);
  if (const auto said = topology::mapped_place(host.named, rail.device, rail.number)) {
    info.rail = said->rail;
    info.plane = said->plane;
  }
  if (const topology::RdmaDevice* device = topology::find_device(map, rail.device)) {
    info.pci = short_text(device->pci.address);
    info.numa_node = device->locality.numa_node;
  }
  return info;
}

}  // namespace

std::vector<RankInfo> own_rank_infos(const std::string& name, const LocalHost& host) {
  RankInfo self;
  self.host = short_text(name);
  self.pid = getpid();
  std::vector<RankInfo> infos{self};
  for (const verbs::Port& rail : host.ports) infos.push_back(rail_info(rail, host));
  return infos;
}

namespace {

/// The first rail, from one on, that none of the ports before is on.
int free_rail(const std::vector<results::RankRail>& before, int rail) {
  while (std::ranges::count(before, rail, &results::RankRail::rail) > 0) ++rail;
  return rail;
}

/// Where a rank's port is: as its host has it, or else as its own options say, or in order.
topology::RailPlane place_of(const RankInfo& info, const topology::Host& host,
                             const std::vector<results::RankRail>& before) {
  const auto nic = std::ranges::find_if(host.rails, [&](const topology::Nic& one) {
    return one.device == info.device.data() && one.port == info.port;
  });
  const bool there = nic != host.rails.end();
  if (there && nic->rail >= 0) return rail_plane_of(*nic);
  if (!there && info.rail >= 0) return {info.rail, std::max(info.plane, 0)};
  return {free_rail(before, there ? static_cast<int>(host.rails.size()) : 0), 0};
}

}  // namespace

results::Rank rank_of(const std::vector<RankInfo>& infos, int number, int local_rank,
                      const topology::Host& host) {
  const RankInfo& self = infos.front();
  results::Rank rank{number, self.host.data(), self.pid, local_rank, -1, {}, {}};
  for (std::size_t i = 1; i < infos.size(); ++i) {
    const RankInfo& info = infos[i];
    const topology::RailPlane place = place_of(info, host, rank.rails);
    rank.rails.push_back({place.rail, info.device.data(), info.port, info.netdev.data(),
                          info.address.data(), info.gid.data(), info.gid_index, info.mtu_bytes,
                          info.link_gigabits_per_second, info.kind, info.firmware.data(),
                          info.numa_node, place.plane});
  }
  return rank;
}

topology::Host host_of(const std::vector<RankInfo>& infos) {
  topology::Host host{infos.front().host.data(), {}, {}};
  for (std::size_t i = 1; i < infos.size(); ++i) {
    const RankInfo& info = infos[i];
    host.rails.push_back({.device = info.device.data(),
                          .port = info.port,
                          .address = info.address.data(),
                          .netdev = info.netdev.data(),
                          .prefix_length = info.prefix_length,
                          .pci = info.pci.data(),
                          .gigabits_per_second = info.link_gigabits_per_second,
                          .rail = info.rail,
                          .plane = info.plane,
                          .firmware = info.firmware.data(),
                          .mtu_bytes = info.mtu_bytes,
                          .numa_node = info.numa_node});
  }
  return host;
}

}  // namespace railgauge::cluster
