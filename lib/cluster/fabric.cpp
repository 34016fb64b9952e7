#include "cluster/fabric.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "checks/rail_check.hpp"
#include "cluster/rank_info.hpp"
#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "topology/fabrics.hpp"
#include "topology/rail_rule.hpp"

namespace railgauge::cluster {
namespace {

using results::Failure;
using RankInfos = std::vector<RankInfo>;  // [rank]

/// The hosts as the first rank of each sees itself.
std::vector<topology::Host> hosts_of(const RankInfos& everybody) {
  std::vector<topology::Host> hosts;
  std::set<std::string> seen;
  for (const RankInfo& info : everybody) {
    if (seen.insert(info.host.name).second) hosts.push_back(info.host);
  }
  return hosts;
}

/// All ranks of a host drive the same rails.
std::string devices_differ(const RankInfos& everybody) {
  std::map<std::string, std::string> devices_of;
  for (const RankInfo& info : everybody) {
    std::string devices;
    for (const topology::Nic& nic : info.host.rails) devices += " " + name_of(nic);
    const auto& first = devices_of.try_emplace(info.host.name, devices).first->second;
    if (first == devices) continue;
    std::string problem = info.host.name;
    problem.append(": its ranks use different devices:").append(first).append(" and");
    return problem.append(devices).append("; give them the same (RAILGAUGE_DEVICES)");
  }
  return "";
}

/// Ranks are of one host if it has one name. Hardware has its own GID in each.
std::string hosts_of_one_name(const RankInfos& everybody) {
  std::map<std::pair<std::string, std::string>, std::string> gids;
  for (const RankInfo& info : everybody) {
    for (const results::RankRail& rail : info.rails) {
      if (rail.kind != results::DeviceKind::hardware) continue;
      const std::string port = rail.device + " port " + std::to_string(rail.port);
      if (gids.try_emplace({info.host.name, port}, rail.gid).first->second == rail.gid) continue;
      return "two hosts have the name " + info.host.name + ": their " + port +
             " have different GIDs; give each a host name of its own";
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

/// Why nothing can run, a sentence for each cause.
std::string text_of(const std::vector<finding::Finding>& findings) {
  std::vector<finding::Finding> against;
  std::ranges::copy_if(findings, std::back_inserter(against), checks::prevents_run);
  std::vector<std::string> sentences;
  for (const auto& group : grouped(finding::ranked(against))) sentences.push_back(sentence(group));
  return finding::joined(sentences, "\n");
}

/// A port's place among its host's rails; those that are none come last.
std::ptrdiff_t rail_of(const topology::Host& host, const std::string& device, int port) {
  const auto* const nic = topology::port_among(host.rails, device, port);
  return nic == nullptr ? std::ssize(host.rails) : nic - host.rails.data();
}

void put_in_order(std::vector<results::RankRail>& rails, const topology::Host& host) {
  std::erase_if(rails, [&](const results::RankRail& rail) {
    return topology::port_among(host.left_out, rail.device, rail.port) != nullptr;
  });
  std::ranges::sort(rails, {}, [&](const results::RankRail& rail) {
    return rail_of(host, rail.device, rail.port);
  });
}

/// The same for this rank's ports. Some turn out to be of another fabric.
void put_in_order(LocalHost& own, const topology::Host& host) {
  std::erase_if(own.ports, [&](const verbs::Port& port) {
    const auto* const entry = topology::port_among(host.left_out, port.device, port.number);
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
      host.left_out.push_back(
          topology::left_out(nic, rail_text(rail_plane_of(nic)) + " is not up on all hosts"));
    }
    std::erase_if(host.rails, [&](const topology::Nic& nic) {
      return std::ranges::count(common, rail_plane_of(nic)) == 0;
    });
  }
}

}  // namespace

MismatchedRails::MismatchedRails(std::vector<finding::Finding> findings,
                                 const std::string& left_out)
    : RunFailure(Failure::Kind::verdict, text_of(findings) + left_out),
      findings_(std::move(findings)) {}

Fabric gather_fabric(transport::Exchange& exchange, const std::string& host, LocalHost& own,
                     const DeviceOptions& options, Mismatch mismatch) {
  RankInfos everybody = gather_infos(exchange, own_rank_info(host, own));
  const bool strict = mismatch == Mismatch::fail;
  std::string problem = strict ? devices_differ(everybody) : "";
  if (problem.empty()) problem = hosts_of_one_name(everybody);
  if (!problem.empty()) throw job::RunFailure(Failure::Kind::environment, problem);
  topology::FoundRails found = number_rails(hosts_of(everybody), options);
  Fabric fabric{{}, rule_of(found, options), checks::check_rails(found)};
  if (strict && std::ranges::any_of(fabric.findings, checks::prevents_run))
    throw MismatchedRails(fabric.findings, own.left_out);
  if (strict) keep_common_planes(found);
  std::map<std::string, int> on_host;
  for (RankInfo& info : everybody) {
    const std::string& name = info.host.name;
    const auto& its_host = *std::ranges::find(found.hosts, name, &topology::Host::name);
    put_in_order(info.rails, its_host);
    const int number = static_cast<int>(fabric.ranks.size());
    fabric.ranks.push_back(rank_of(info, number, on_host[name]++, its_host));
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
