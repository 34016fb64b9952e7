#include "benchmarks/fabric.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "benchmarks/numa.hpp"
#include "telemetry/counters.hpp"
#include "topology/netdev.hpp"
#include "topology/rail_check.hpp"

namespace railgauge::benchmarks {
namespace {

using results::Failure;
using transport::short_text;
using transport::ShortText;

constexpr const char* kWaysOn =
    "Without an RDMA device, this runs on devices in software:\n  launchers/mpirun -np 2 "
    "all_reduce_perf --device soft ...\nor in the laboratory of virtual machines with the kernel's "
    "software RoCE:\n  launchers/lab --hosts 2 --rails 2 -- launchers/mpirun -np 4 "
    "all_reduce_perf ...\nA machine with the kernel module rdma_rxe can make a device of any "
    "network interface:\n  rdma link add rxe0 type rxe netdev eth0";

std::vector<verbs::Port> named_rails(const std::vector<std::string>& devices,
                                     std::optional<int> gid_index) {
  const std::vector<verbs::Port> ports = verbs::find_ports(gid_index, devices);
  std::vector<verbs::Port> rails;
  for (const std::string& device : devices) {
    const std::size_t before = rails.size();
    std::ranges::copy_if(ports, std::back_inserter(rails), [&](const verbs::Port& port) {
      return port.device == device && port.usable();
    });
    if (rails.size() > before) continue;
    throw RunFailure(Failure::Kind::environment,
                     "device " + device + " of --devices: " +
                         verbs::explain_no_usable_port(verbs::find_ports(gid_index)));
  }
  return rails;
}

/// A rank's self-portrait, exchanged as bytes: once without a rail, then once a rail.
struct Card {
  ShortText host{};
  int pid = 0;
  ShortText device{};
  ShortText netdev{};
  ShortText address{};
  ShortText gid{};
  int port = 0;  // 0: this card is the rank's own
  int gid_index = 0;
  int mtu_bytes = 0;
  int prefix_length = 0;
  double link_gigabits_per_second = 0;
  results::DeviceKind kind = results::DeviceKind::hardware;
  ShortText firmware{};
  int numa_node = -1;
};

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

std::vector<Card> own_cards(const World& world, const std::vector<verbs::Port>& rails) {
  Card self;
  self.host = short_text(world.host());
  self.pid = getpid();
  self.numa_node = numa_node_of_caller();
  std::vector<Card> cards{self};
  for (const verbs::Port& rail : rails) {
    Card card = self;
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
    card.numa_node = numa_node_of(rail.device);
    cards.push_back(card);
  }
  return cards;
}

results::Rank rank_of(const std::vector<Card>& cards, int number, int local_rank) {
  const Card& self = cards.front();
  results::Rank rank{number, self.host.data(), self.pid, local_rank, self.numa_node, {}};
  for (std::size_t i = 1; i < cards.size(); ++i) {
    const Card& card = cards[i];
    rank.rails.push_back({static_cast<int>(i - 1), card.device.data(), card.port,
                          card.netdev.data(), card.address.data(), card.gid.data(), card.gid_index,
                          card.mtu_bytes, card.link_gigabits_per_second, card.kind,
                          card.firmware.data(), card.numa_node});
  }
  return rank;
}

/// The hosts as the first rank of each sees itself.
std::vector<topology::Host> hosts_of(const std::vector<std::vector<Card>>& everybody) {
  std::vector<topology::Host> hosts;
  std::set<std::string> seen;
  for (const auto& cards : everybody) {
    if (!seen.insert(cards.front().host.data()).second) continue;
    topology::Host host{cards.front().host.data(), {}};
    for (std::size_t i = 1; i < cards.size(); ++i) {
      host.rails.push_back({cards[i].device.data(), cards[i].port, cards[i].address.data(),
                            cards[i].netdev.data(), cards[i].prefix_length});
    }
    hosts.push_back(std::move(host));
  }
  return hosts;
}

/// All ranks of a host drive the same rails.
std::string complaint_about_host_mates(const std::vector<std::vector<Card>>& everybody) {
  std::map<std::string, std::string> devices_of;
  for (const auto& cards : everybody) {
    std::string devices;
    for (const Card& card : cards) devices.append(" ").append(card.device.data());
    const auto& first = devices_of.try_emplace(cards.front().host.data(), devices).first->second;
    if (first == devices) continue;
    std::string complaint = cards.front().host.data();
    complaint.append(": its ranks use different devices:").append(first).append(" and");
    return complaint.append(devices).append("; give them the same (RAILGAUGE_DEVICES)");
  }
  return "";
}

/// The rails whose counters a rank reads: those that no lower rank of its host has. Ranks of a host
/// share its ports, except soft devices: there every process has its own, with its own address.
std::vector<const results::RankRail*> rails_to_read(const results::Rank& reader,
                                                    const std::vector<results::Rank>& ranks) {
  std::vector<const results::RankRail*> rails;
  for (const results::RankRail& rail : reader.rails) {
    const auto has_it = [&](const results::Rank& other) {
      if (other.host != reader.host || other.rank >= reader.rank) return false;
      return std::ranges::any_of(other.rails, [&](const results::RankRail& one) {
        return one.device == rail.device && one.port == rail.port && one.address == rail.address;
      });
    };
    if (std::ranges::none_of(ranks, has_it)) rails.push_back(&rail);
  }
  return rails;
}

}  // namespace

Rails find_rails(const std::vector<std::string>& devices, std::optional<int> gid_index) {
  if (!devices.empty()) return {named_rails(devices, gid_index), ""};
  const std::vector<verbs::Port> ports = verbs::find_ports(gid_index);
  Rails rails;
  for (const verbs::Port& port : ports) {
    if (port.usable()) {
      rails.ports.push_back(port);
    } else {
      rails.left_out += "\n" + port.device + " port " + std::to_string(port.number) +
                        " is left out: " + port.unusable;
    }
  }
  if (!rails.ports.empty()) return rails;
  throw RunFailure(Failure::Kind::environment,
                   verbs::explain_no_usable_port(ports) + "\n" + kWaysOn);
}

std::vector<results::Rank> meet(World& world, const Rails& rails) {
  const auto everybody = transport::all_gather(world, own_cards(world, rails.ports));
  std::string complaints = complaint_about_host_mates(everybody);
  for (const std::string& complaint : topology::check_rails(hosts_of(everybody))) {
    complaints += (complaints.empty() ? "" : "\n") + complaint;
  }
  if (!complaints.empty()) {
    throw RunFailure(Failure::Kind::environment, complaints + rails.left_out);
  }
  std::vector<results::Rank> ranks;
  std::map<std::string, int> on_host;
  for (const auto& cards : everybody) {
    const int number = static_cast<int>(ranks.size());
    ranks.push_back(rank_of(cards, number, on_host[cards.front().host.data()]++));
  }
  return ranks;
}

void check_nodes(const std::vector<results::Rank>& ranks, int nodes, int per_node) {
  std::map<std::string, int> hosts;
  for (const results::Rank& rank : ranks) ++hosts[rank.host];
  const bool right_nodes = nodes == 0 || static_cast<int>(hosts.size()) == nodes;
  const bool right_ranks = per_node == 0 || std::ranges::all_of(hosts, [&](const auto& host) {
                             return host.second == per_node;
                           });
  if (right_nodes && right_ranks) return;
  std::string text =
      right_nodes ? "--ppn " + std::to_string(per_node) : "--nodes " + std::to_string(nodes);
  text += ", but the " + std::to_string(ranks.size()) + " ranks are on " +
          std::to_string(hosts.size()) + (hosts.size() == 1 ? " host:" : " hosts:");
  for (const auto& [host, count] : hosts) text += " " + host + " (" + std::to_string(count) + ")";
  throw RunFailure(Failure::Kind::usage,
                   text + ". Give mpirun a host file with slots on all of them, or --map-by node");
}

std::vector<results::PortCounters> read_counters(World& world,
                                                 const std::vector<results::Rank>& ranks) {
  nlohmann::json own = nlohmann::json::array();
  for (const results::RankRail* rail : rails_to_read(ranks[world.rank()], ranks)) {
    own.push_back(telemetry::read_counters(rail->device, rail->port));
  }
  const std::vector<std::uint8_t> packed = nlohmann::json::to_cbor(own);
  const auto everybody = world.all_gather(std::as_bytes(std::span(packed)));
  std::vector<results::PortCounters> all;
  for (const results::Rank& rank : ranks) {
    const auto& bytes = everybody[static_cast<std::size_t>(rank.rank)];
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const auto counters = nlohmann::json::from_cbor(begin, begin + bytes.size());
    const auto read = rails_to_read(rank, ranks);
    for (std::size_t i = 0; i < read.size(); ++i) {
      all.push_back({rank.host,
                     read[i]->device,
                     read[i]->port,
                     read[i]->rail,
                     read[i]->address,
                     counters.at(i).get<telemetry::Counters>(),
                     {}});
    }
  }
  return all;
}

}  // namespace railgauge::benchmarks
