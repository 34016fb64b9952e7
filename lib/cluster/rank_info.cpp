#include "cluster/rank_info.hpp"

#include <unistd.h>

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

RankInfo card_of(const verbs::Port& rail, const topology::HostMap& map) {
  RankInfo card;
  card.device = short_text(rail.device);
  card.netdev = short_text(rail.netdev());
  card.address = short_text(rail.address());
  card.gid = short_text(hexadecimal(rail.gid->gid));
  card.port = rail.number;
  card.gid_index = rail.gid->index;
  card.mtu_bytes = rail.mtu_bytes;
  card.prefix_length = prefix_length(rail.address());
  card.link_gigabits_per_second = rail.gbps;
  card.kind = kind_of(rail);
  card.firmware = short_text(rail.firmware);
  if (const topology::RdmaDevice* device = topology::find_device(map, rail.device)) {
    card.pci = short_text(device->pci.address);
    card.numa_node = device->locality.numa_node;
  }
  return card;
}

}  // namespace

std::vector<RankInfo> own_rank_infos(const std::string& name, const LocalHost& host) {
  RankInfo self;
  self.host = short_text(name);
  self.pid = getpid();
  std::vector<RankInfo> cards{self};
  for (const verbs::Port& rail : host.ports) cards.push_back(card_of(rail, host.map));
  return cards;
}

results::Rank rank_of(const std::vector<RankInfo>& cards, int number, int local_rank) {
  const RankInfo& self = cards.front();
  results::Rank rank{number, self.host.data(), self.pid, local_rank, -1, {}, {}};
  for (std::size_t i = 1; i < cards.size(); ++i) {
    const RankInfo& card = cards[i];
    rank.rails.push_back({static_cast<int>(i - 1), card.device.data(), card.port,
                          card.netdev.data(), card.address.data(), card.gid.data(), card.gid_index,
                          card.mtu_bytes, card.link_gigabits_per_second, card.kind,
                          card.firmware.data(), card.numa_node});
  }
  return rank;
}

topology::Host host_of(const std::vector<RankInfo>& cards) {
  topology::Host host{cards.front().host.data(), {}};
  for (std::size_t i = 1; i < cards.size(); ++i) {
    const RankInfo& card = cards[i];
    host.rails.push_back({card.device.data(), card.port, card.address.data(), card.netdev.data(),
                          card.prefix_length, card.pci.data(), card.link_gigabits_per_second});
  }
  return host;
}

}  // namespace railgauge::cluster
