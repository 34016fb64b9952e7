#include "fabric/description_table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <vector>

#include "manual/layout.hpp"

namespace railgauge::fabric::described {
namespace {

using manual::TextRow;

std::string short_number(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", number);
  return text.data();
}

int tier_of(const Fabric& fabric, const std::string& node) {
  const auto found = std::ranges::find(fabric.switches, node, &Switch::name);
  return found == fabric.switches.end() ? 0 : found->tier;
}

struct Capacity {
  int down_ports = 0;
  int up_ports = 0;
  double down_mbit_per_s = 0;
  double up_mbit_per_s = 0;
};

Capacity capacity_of(const Fabric& fabric, const Switch& one) {
  Capacity all;
  for (const Link& link : fabric.links) {
    if (link.a.node != one.name && link.b.node != one.name) continue;
    const std::string& other = link.a.node == one.name ? link.b.node : link.a.node;
    const bool up = tier_of(fabric, other) > one.tier;
    (up ? all.up_ports : all.down_ports) += 1;
    (up ? all.up_mbit_per_s : all.down_mbit_per_s) += link.rate_mbit_per_s;
  }
  return all;
}

std::string numbered(const std::optional<int>& number) {
  return number ? std::to_string(*number) : "-";
}

std::string oversubscription(const Capacity& capacity) {
  if (capacity.up_ports == 0 || capacity.down_ports == 0) return "-";
  return short_number(capacity.down_mbit_per_s / capacity.up_mbit_per_s) + ":1";
}

TextRow row_of(const Fabric& fabric, const Switch& one) {
  const Capacity capacity = capacity_of(fabric, one);
  return {
      one.name,
      std::to_string(one.tier),
      numbered(one.rail),
      numbered(one.pod),
      one.address,
      std::string{name_of(one.balance.value_or(fabric.switching.balance))},
      std::to_string(capacity.down_ports) + " of " + short_number(capacity.down_mbit_per_s) +
          " Mbit/s",
      std::to_string(capacity.up_ports) + " of " + short_number(capacity.up_mbit_per_s) + " Mbit/s",
      oversubscription(capacity)};
}

std::string switch_table(const Fabric& fabric) {
  if (fabric.switches.empty()) return "";
  std::vector<TextRow> rows{{"switch", "tier", "rail", "pod", "address", "balance", "ports down",
                             "ports up", "oversubscribed"}};
  for (const Switch& one : fabric.switches) rows.push_back(row_of(fabric, one));
  return manual::table_text(rows);
}

std::string link_table(const Fabric& fabric) {
  std::vector<TextRow> rows{
      {"link", "from", "port", "address", "to", "port", "Mbit/s", "us", "MTU"}};
  for (std::size_t at = 0; at < fabric.links.size(); ++at) {
    const Link& link = fabric.links[at];
    rows.push_back({std::to_string(at), link.a.node, link.a.port,
                    link.a.address.empty() ? "-" : link.a.address, link.b.node, link.b.port,
                    short_number(link.rate_mbit_per_s), short_number(link.delay_us),
                    std::to_string(link.mtu_bytes)});
  }
  return manual::table_text(rows);
}

/// Propagation only, through the highest tier and back.
double round_trip_us(const Fabric& fabric) {
  int highest = 0;
  double delay_us = 0;
  for (const Switch& one : fabric.switches) highest = std::max(highest, one.tier);
  for (const Link& link : fabric.links) delay_us = std::max(delay_us, link.delay_us);
  return 4.0 * highest * delay_us;
}

std::string proportions(const Fabric& fabric) {
  double rate = 0;
  for (const Link& link : fabric.links) {
    if (is_host(fabric, link.a.node)) rate = std::max(rate, link.rate_mbit_per_s);
  }
  const double round_trip = round_trip_us(fabric);
  const double product = rate * round_trip / 8;  // Mbit/s x us / 8 = bytes
  const auto buffer = static_cast<double>(fabric.switching.buffer_bytes);
  return "bandwidth x delay: " + short_number(rate) + " Mbit/s x " + short_number(round_trip) +
         " us of propagation = " + short_number(product) +
         " B; buffer of a switch: " + short_number(buffer) +
         " B = " + short_number(rate > 0 ? buffer * 8 / rate / 1000 : 0) + " ms of a host's port\n";
}

}  // namespace

std::string description_table(const Fabric& fabric) {
  std::map<int, int> tiers;
  for (const Switch& one : fabric.switches) ++tiers[one.tier];
  std::string head = "fabric " + fabric.name + ": " + std::to_string(fabric.hosts.size()) +
                     " hosts, " + std::to_string(fabric.links.size()) + " links";
  for (const auto& [tier, count] : tiers) {
    head += ", " + std::to_string(count) + " switches of tier " + std::to_string(tier);
  }
  head += "\n";
  if (!fabric.description.empty()) head += fabric.description + "\n";
  return head + proportions(fabric) + "\n" + switch_table(fabric) + "\n" + link_table(fabric);
}

}  // namespace railgauge::fabric::described
