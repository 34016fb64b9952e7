#include "cluster/port_facts.hpp"

#include <algorithm>
#include <string_view>

#include "topology/nic_choice.hpp"

namespace railgauge::cluster {
namespace {

using transport::short_text;

LongText long_text(std::string_view text) {
  LongText fixed{};
  std::copy_n(text.begin(), std::min(text.size(), fixed.size() - 1), fixed.begin());
  return fixed;
}

PortFacts facts_of(const verbs::Port& port, const topology::HostMap& map) {
  topology::Nic nic{.device = port.device,
                    .port = port.number,
                    .address = port.address(),
                    .netdev = port.netdev()};
  topology::describe(nic, map);
  PortFacts facts{.device = short_text(port.device), .port = port.number};
  facts.model = short_text(nic.model);
  facts.node_guid = short_text(nic.node_guid);
  facts.pci_link = short_text(nic.pci_link);
  facts.pci_gigabits_per_second = nic.pci_gigabits_per_second;
  facts.default_route = nic.default_route;
  facts.pci_degraded = long_text(nic.pci_degraded);
  facts.bond = long_text(nic.bond);
  if (!nic.other_addresses.empty()) facts.other_address = long_text(nic.other_addresses.front());
  return facts;
}

PortFacts facts_of(const topology::LeftOut& port) {
  PortFacts facts{.device = short_text(port.device), .port = port.port, .left_out = true};
  facts.pci = short_text(port.pci);
  facts.netdev = short_text(port.netdev);
  facts.reason = long_text(port.reason);
  facts.remedy = long_text(port.remedy);
  return facts;
}

void add_to(topology::Nic& nic, const PortFacts& facts) {
  nic.model = facts.model.data();
  nic.node_guid = facts.node_guid.data();
  nic.pci_link = facts.pci_link.data();
  nic.pci_gigabits_per_second = facts.pci_gigabits_per_second;
  nic.default_route = facts.default_route;
  nic.pci_degraded = facts.pci_degraded.data();
  nic.bond = facts.bond.data();
  if (facts.other_address[0] != 0) nic.other_addresses = {facts.other_address.data()};
}

}  // namespace

std::vector<PortFacts> own_port_facts(const LocalHost& host) {
  std::vector<PortFacts> all;
  for (const verbs::Port& port : host.ports) all.push_back(facts_of(port, host.map));
  for (const topology::LeftOut& port : host.others) all.push_back(facts_of(port));
  return all;
}

void add_port_facts(topology::Host& host, const std::vector<PortFacts>& facts) {
  for (const PortFacts& one : facts) {
    if (one.left_out) {
      host.left_out.push_back({one.device.data(), one.port, one.reason.data(), one.remedy.data(),
                               one.pci.data(), one.netdev.data()});
      continue;
    }
    const auto nic = std::ranges::find_if(host.rails, [&](const topology::Nic& other) {
      return other.device == one.device.data() && other.port == one.port;
    });
    if (nic != host.rails.end()) add_to(*nic, one);
  }
}

}  // namespace railgauge::cluster
