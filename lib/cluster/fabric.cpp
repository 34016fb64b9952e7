#include "cluster/fabric.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "cluster/rank_info.hpp"
#include "job/failure.hpp"
#include "topology/rail_check.hpp"
#include "topology/rail_rule.hpp"

namespace railgauge::cluster {
namespace {

using results::Failure;
using RankInfos = std::vector<RankInfo>;  // of one rank

/// The hosts as the first rank of each sees itself.
std::vector<topology::Host> hosts_of(const std::vector<RankInfos>& everybody) {
  std::vector<topology::Host> hosts;
  std::set<std::string> seen;
  for (const RankInfos& infos : everybody) {
    if (seen.insert(infos.front().host.data()).second) hosts.push_back(host_of(infos));
  }
  return hosts;
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

/// How rails are numbered, and the hosts with their NICs in that order.
struct Numbered {
  results::RailRule rule;
  std::vector<topology::Host> hosts;
  std::vector<std::string> crossed;
};

Numbered number_rails(std::vector<topology::Host> hosts, const DeviceOptions& options) {
  if (!options.devices.empty()) return {{"named devices", ""}, std::move(hosts), {}};
  topology::FoundRails found = topology::find_rails(std::move(hosts), options.nics.rail_map);
  return {{std::string(topology::words(found.rule)), std::move(found.reason)},
          std::move(found.hosts),
          std::move(found.crossed)};
}

std::vector<std::string> mismatches_of(const Numbered& fabric) {
  std::vector<std::string> wrong = fabric.crossed;
  std::ranges::move(topology::check_rails(fabric.hosts), std::back_inserter(wrong));
  return wrong;
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

void put_in_order(RankInfos& infos, const topology::Host& host) {
  std::ranges::sort(infos.begin() + 1, infos.end(), {}, [&](const RankInfo& info) {
    return rail_of(host, info.device.data(), info.port);
  });
}

}  // namespace

Fabric gather_fabric(transport::Exchange& exchange, const std::string& host, LocalHost& own,
                     const DeviceOptions& options, Mismatch mismatch) {
  auto everybody = transport::all_gather(exchange, own_rank_infos(host, own));
  const bool strict = mismatch == Mismatch::fail;
  const std::string complaint = strict ? devices_differ(everybody) : "";
  if (!complaint.empty()) throw job::RunFailure(Failure::Kind::environment, complaint);
  const Numbered numbered = number_rails(hosts_of(everybody), options);
  Fabric fabric{{}, numbered.rule, topology::slow_rails(numbered.hosts), mismatches_of(numbered)};
  if (strict && !fabric.mismatches.empty()) fail(fabric.mismatches, own.left_out);
  std::map<std::string, int> on_host;
  for (RankInfos& infos : everybody) {
    const std::string name = infos.front().host.data();
    const auto& its_host = *std::ranges::find(numbered.hosts, name, &topology::Host::name);
    put_in_order(infos, its_host);
    const int number = static_cast<int>(fabric.ranks.size());
    fabric.ranks.push_back(rank_of(infos, number, on_host[name]++));
    if (number != static_cast<int>(exchange.rank())) continue;
    std::ranges::sort(own.ports, {}, [&](const verbs::Port& port) {
      return rail_of(its_host, port.device, port.number);
    });
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
