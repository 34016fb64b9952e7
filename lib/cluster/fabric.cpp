#include "cluster/fabric.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "cluster/port_facts.hpp"
#include "cluster/rank_info.hpp"
#include "job/failure.hpp"
#include "topology/fabrics.hpp"
#include "topology/rail_check.hpp"
#include "topology/rail_rule.hpp"

namespace railgauge::cluster {
namespace {

using results::Failure;
using RankInfos = std::vector<RankInfo>;  // of one rank

/// Whether a rank is the first one of its host: that one tells the facts.
bool is_first_of_host(const std::vector<RankInfos>& everybody, std::size_t rank) {
  const auto self = everybody.begin() + static_cast<std::ptrdiff_t>(rank);
  return std::none_of(everybody.begin(), self, [&](const RankInfos& infos) {
    return infos.front().host == self->front().host;
  });
}

/// The hosts as the first rank of each sees itself.
std::vector<topology::Host> hosts_of(const std::vector<RankInfos>& everybody,
                                     const std::vector<std::vector<PortFacts>>& facts) {
  std::vector<topology::Host> hosts;
  std::set<std::string> seen;
  for (std::size_t rank = 0; rank < everybody.size(); ++rank) {
    if (!seen.insert(everybody[rank].front().host.data()).second) continue;
    hosts.push_back(host_of(everybody[rank]));
    add_port_facts(hosts.back(), facts[rank]);
  }
  return hosts;
}

std::vector<topology::Host> gather_hosts(transport::Exchange& exchange, const LocalHost& own,
                                         const std::vector<RankInfos>& everybody) {
  std::vector<PortFacts> facts;
  if (is_first_of_host(everybody, exchange.rank())) facts = own_port_facts(own);
  return hosts_of(everybody, transport::all_gather(exchange, facts));
}

/// All ranks of a host drive the same rails.
std::string devices_differ(const std::vector<RankInfos>& everybody) {
  std::map<std::string, std::string> devices_of;
  for (const RankInfos& infos : everybody) {
    std::string devices;
    for (const topology::Nic& nic : host_of(infos).rails) devices += " " + name_of(nic);
    const auto& first = devices_of.try_emplace(infos.front().host.data(), devices).first->second;
    if (first == devices) continue;
    std::string complaint = infos.front().host.data();
    complaint.append(": its ranks use different devices:").append(first).append(" and");
    return complaint.append(devices).append("; give them the same (RAILGAUGE_DEVICES)");
  }
  return "";
}

/// Ranks are of one host if it has one name. Hardware has its own GID in each.
std::string hosts_of_one_name(const std::vector<RankInfos>& everybody) {
  std::map<std::pair<std::string, std::string>, std::string> gids;
  for (const RankInfos& infos : everybody) {
    const std::string host = infos.front().host.data();
    for (std::size_t i = 1; i < infos.size(); ++i) {
      if (infos[i].kind != results::DeviceKind::hardware) continue;
      std::string port = infos[i].device.data();
      port.append(" port ").append(std::to_string(infos[i].port));
      const std::string gid = infos[i].gid.data();
      if (gids.try_emplace({host, port}, gid).first->second == gid) continue;
      std::string why = "two hosts have the name ";
      why.append(host).append(": their ").append(port);
      return why.append(" have different GIDs; give each a host name of its own");
    }
  }
  return "";
}

/// How rails are numbered, and the hosts with their NICs in that order.
topology::FoundRails number_rails(std::vector<topology::Host> hosts, const DeviceOptions& options) {
  try {
    if (!options.devices.empty()) {
      return topology::named_rails(std::move(hosts),
                                   topology::rail_map_of_devices(options.devices));
    }
    topology::Fabrics fabrics = topology::separate_fabrics(std::move(hosts), options.nics);
    return topology::find_rails(std::move(fabrics.hosts), options.nics.said());
  } catch (const std::invalid_argument& error) {
    throw job::RunFailure(Failure::Kind::usage, error.what());
  }
}

results::RailRule rule_of(const topology::FoundRails& found, const DeviceOptions& options) {
  if (!options.devices.empty()) return {"named devices", ""};
  return {std::string(topology::words(found.rule)), found.reason};
}

/// What does not end a run.
std::vector<std::string> warnings_of(topology::Findings findings) {
  std::vector<std::string> all = std::move(findings.impairments);
  std::ranges::move(findings.warnings, std::back_inserter(all));
  std::ranges::move(findings.notes, std::back_inserter(all));
  return all;
}

[[noreturn]] void fail(const std::vector<std::string>& mismatches, const std::string& left_out) {
  std::string text;
  for (const std::string& one : mismatches) text += (text.empty() ? "" : "\n") + one;
  throw job::RunFailure(Failure::Kind::verdict, text + left_out);
}

/// A port's rail on its host.
std::ptrdiff_t rail_of(const topology::Host& host, const std::string& device, int port) {
  const auto found = std::ranges::find_if(host.rails, [&](const topology::Nic& nic) {
    return nic.device == device && nic.port == port;
  });
  return found - host.rails.begin();
}

/// The entry of a host's ports that are left out; nullptr if it is none.
const topology::LeftOut* left_out(const topology::Host& host, const std::string& device, int port) {
  const auto found = std::ranges::find_if(host.left_out, [&](const topology::LeftOut& one) {
    return one.device == device && one.port == port;
  });
  return found == host.left_out.end() ? nullptr : &*found;
}

void put_in_order(RankInfos& infos, const topology::Host& host) {
  std::erase_if(infos, [&](const RankInfo& info) {
    return info.port > 0 && left_out(host, info.device.data(), info.port) != nullptr;
  });
  std::ranges::sort(infos.begin() + 1, infos.end(), {}, [&](const RankInfo& info) {
    return rail_of(host, info.device.data(), info.port);
  });
}

/// The same for this rank's ports. Some turn out to be of another fabric.
void put_in_order(LocalHost& own, const topology::Host& host) {
  std::erase_if(own.ports, [&](const verbs::Port& port) {
    const auto* const entry = left_out(host, port.device, port.number);
    if (entry == nullptr) return false;
    own.left_out += "\n" + port.device + " port " + std::to_string(port.number) +
                    " is left out: " + entry->reason;
    return true;
  });
  std::ranges::sort(own.ports, {}, [&](const verbs::Port& port) {
    return rail_of(host, port.device, port.number);
  });
}

/// Of the hosts, the ports on planes that all of them have; the others are left out.
void keep_common_planes(topology::FoundRails& found) {
  const auto common = topology::common_slots(found);
  for (topology::Host& host : found.hosts) {
    for (const topology::Nic& nic : host.rails) {
      if (nic.slot < 0 || std::ranges::count(common, rail_plane_of(nic)) > 0) continue;
      host.left_out.push_back({nic.device, nic.port,
                               rail_text(rail_plane_of(nic)) + " is not up on all hosts", "",
                               nic.pci, nic.netdev});
    }
    std::erase_if(host.rails, [&](const topology::Nic& nic) {
      return std::ranges::count(common, rail_plane_of(nic)) == 0;
    });
  }
}

std::vector<results::LostPlane> lost_planes_of(const std::vector<topology::LostPlane>& lost) {
  std::vector<results::LostPlane> all;
  all.reserve(lost.size());
  for (const topology::LostPlane& one : lost) {
    all.push_back({one.host, one.device, one.port, one.place.rail, one.place.plane,
                   one.place.planes, one.reason});
  }
  return all;
}

}  // namespace

Fabric gather_fabric(transport::Exchange& exchange, const std::string& host, LocalHost& own,
                     const DeviceOptions& options, Mismatch mismatch) {
  auto everybody = transport::all_gather(exchange, own_rank_infos(host, own));
  const bool strict = mismatch == Mismatch::fail;
  std::string complaint = strict ? devices_differ(everybody) : "";
  if (complaint.empty()) complaint = hosts_of_one_name(everybody);
  if (!complaint.empty()) throw job::RunFailure(Failure::Kind::environment, complaint);
  topology::FoundRails found = number_rails(gather_hosts(exchange, own, everybody), options);
  topology::Findings findings = topology::check_rails(found);
  Fabric fabric{{}, rule_of(found, options), {}, std::move(findings.mismatches), {}};
  fabric.lost_planes = lost_planes_of(findings.lost_planes);
  fabric.warnings = warnings_of(std::move(findings));
  if (strict && !fabric.mismatches.empty()) fail(fabric.mismatches, own.left_out);
  if (strict) keep_common_planes(found);
  std::map<std::string, int> on_host;
  for (RankInfos& infos : everybody) {
    const std::string name = infos.front().host.data();
    const auto& its_host = *std::ranges::find(found.hosts, name, &topology::Host::name);
    put_in_order(infos, its_host);
    const int number = static_cast<int>(fabric.ranks.size());
    fabric.ranks.push_back(rank_of(infos, number, on_host[name]++, its_host));
    if (number == static_cast<int>(exchange.rank())) put_in_order(own, its_host);
  }
  return fabric;
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
  throw job::RunFailure(
      Failure::Kind::usage,
      text + ". Give mpirun a host file with slots on all of them, or --map-by node");
}

}  // namespace railgauge::cluster
