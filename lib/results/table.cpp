#include "results/table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <stdexcept>
#include <tuple>

#include "results/rail_name.hpp"

namespace railgauge::results {
namespace {

/// What it is bound to, of a rank that is.
std::string binding_of(const RankPlacement& placement) {
  if (placement.cpus.empty()) return "";
  const std::string memory =
      placement.memory_node < 0 ? "" : " memory " + std::to_string(placement.memory_node);
  return " cpus " + placement.cpus + memory;
}

/// Of a port what all lines end with.
std::string attached(const RankRail& rail, const std::string& address) {
  return printed("netdev %s address %s GID %d MTU %d link %g Gb/s%s\n", rail.netdev.c_str(),
                 address.c_str(), rail.gid_index, rail.mtu_bytes, rail.link_gigabits_per_second,
                 rail.kind == DeviceKind::hardware ? "" : " software");
}

/// One rail of one rank, so that what parses nccl-tests' line of one GPU reads this one.
std::string device_line(const Rank& rank, const RankRail& rail) {
  return printed("#  Rank %2d Group  0 Pid %6d on %10s device %2d [%s:%d] ", rank.rank, rank.pid,
                 rank.host.c_str(), rail.rail, rail.device.c_str(), rail.port) +
         printed("%s local rank %d NUMA %d NIC's %d%s ", rail_name(rail, rank.rails).c_str(),
                 rank.local_rank, rank.numa_node, rail.numa_node,
                 binding_of(rank.placement).c_str()) +
         attached(rail, rail.address);
}

/// What ranks of a host share: its device and how it is attached, but not always its address.
struct HostRail {
  std::string host;
  const RankRail* rail;
  std::vector<int> ranks;
  bool same_address = true;
};

std::vector<HostRail> host_rails_of(const std::vector<Rank>& ranks) {
  std::vector<HostRail> all;
  std::map<std::tuple<std::string, int, std::string, int>, std::size_t> place;
  for (const Rank& rank : ranks) {
    for (const RankRail& rail : rank.rails) {
      const auto [found, is_new] =
          place.try_emplace({rank.host, rail.rail, rail.device, rail.port}, all.size());
      if (is_new) all.push_back({rank.host, &rail, {}, true});
      HostRail& one = all[found->second];
      one.ranks.push_back(rank.rank);
      one.same_address = one.same_address && one.rail->address == rail.address;
    }
  }
  return all;
}

std::string host_rail_line(const HostRail& one) {
  const RankRail& rail = *one.rail;
  return "#  Ranks " + ranges_of(one.ranks) + " on " + one.host +
         printed(" device %d [%s:%d] rail %d NIC's %d ", rail.rail, rail.device.c_str(), rail.port,
                 rail.rail, rail.numa_node) +
         attached(rail, one.same_address ? rail.address : "one-per-rank");
}

std::string host_lines(const Document& document) {
  std::string lines = "#  " + std::to_string(document.ranks.size()) + " ranks on " +
                      std::to_string(document.hosts.size()) +
                      " hosts: a line for each rail of a host; -J has each rank\n";
  for (const HostRail& one : host_rails_of(document.ranks)) lines += host_rail_line(one);
  return lines;
}

std::string rank_lines(const Document& document) {
  std::string lines;
  for (const Rank& rank : document.ranks) {
    for (const RankRail& rail : rank.rails) lines += device_line(rank, rail);
  }
  return lines;
}

/// The line about the least real device of all ranks; empty if all are hardware.
std::string label_of(const std::vector<Rank>& ranks) {
  DeviceKind kind = DeviceKind::hardware;
  for (const Rank& rank : ranks) {
    for (const RankRail& rail : rank.rails) kind = std::max(kind, rail.kind);
  }
  switch (kind) {
    case DeviceKind::hardware: break;
    case DeviceKind::software: return "# SOFTWARE DEVICE: figures say nothing about hardware\n";
    case DeviceKind::software_shortcut:
      return "# SOFTWARE DEVICE WITH SAME-HOST SHORTCUT: figures say nothing about hardware, nor "
             "about a network\n";
  }
  return "";
}

/// The line about data that no rail has carried; empty if the rails carried all.
std::string same_host_label(const Document& document) {
  const auto option = document.options.find("same-host");
  if (option == document.options.end()) return "";
  const auto* value = std::get_if<std::string>(&option->second.value);
  if (value == nullptr || *value != "memory") return "";
  const auto shares_host = [](const Rank& rank) { return rank.local_rank > 0; };
  if (std::ranges::none_of(document.ranks, shares_host)) return "";
  return "# SAME-HOST MEMORY: ranks of one host exchange data through memory, not by the rails\n";
}

}  // namespace

std::string ranges_of(const std::vector<int>& numbers, const char* separator, std::size_t least) {
  std::string text;
  for (std::size_t at = 0; at < numbers.size();) {
    std::size_t last = at;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (last - at + 1 < least) last = at;
    text += (text.empty() ? "" : separator) + std::to_string(numbers[at]);
    if (last > at) text += "-" + std::to_string(numbers[last]);
    at = last + 1;
  }
  return text;
}

std::string fitted(double value, int width) {
  std::string text;
  for (const auto* const format : {"%*.2f", "%*.1f", "%*.0f", "%*.1e", "%*.0e"}) {
    text = printed(format, width, value);
    if (text.size() <= static_cast<std::size_t>(width)) break;
  }
  return text;
}

std::string thread_line(unsigned progress_threads) {
  if (progress_threads <= 1) return "";
  return "# Progress threads: up to " + std::to_string(progress_threads) +
         " per rank, each with rails of its own\n";
}

std::string device_lines(const Document& document) {
  std::string lines =
      document.ranks.size() > kMostRanks ? host_lines(document) : rank_lines(document);
  const auto& [rule, reason] = document.rail_rule;
  if (!rule.empty()) lines += "# Rails by " + rule + (reason.empty() ? "" : ": " + reason) + "\n";
  return lines;
}

std::string label_lines(const Document& document) {
  return label_of(document.ranks) + same_host_label(document);
}

void Table::remark(const std::string& lines) {
  out_ << lines;
}

void Table::flush() {
  out_ << std::flush;
  if (!out_) {
    throw std::runtime_error(
        "the table could not be written in full; is the disk of standard output full?");
  }
}

}  // namespace railgauge::results
