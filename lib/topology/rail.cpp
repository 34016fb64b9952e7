#include "topology/rail.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <set>

namespace railgauge::topology {

std::string rail_text(const RailPlane& place) {
  const std::string rail = "rail " + std::to_string(place.rail);
  return place.planes == 1 ? rail : rail + " plane " + std::to_string(place.plane);
}

std::string name_of(const Nic& nic) {
  return nic.port == 1 ? nic.device : nic.device + " port " + std::to_string(nic.port);
}

Nic idle(const LeftOut& port) {
  Nic nic = static_cast<const Nic&>(port);
  nic.address.clear();
  nic.other_addresses.clear();
  return nic;
}

std::size_t rails_of(const std::vector<Nic>& nics) {
  std::set<int> rails;
  for (const Nic& nic : nics) rails.insert(nic.rail);
  return rails.size();
}

std::vector<const Nic*> first_of_rails(const std::vector<Nic>& nics) {
  std::vector<const Nic*> firsts;
  for (const Nic& nic : nics) {
    if (nic.rail < 0 || firsts.empty() || firsts.back()->rail != nic.rail) firsts.push_back(&nic);
  }
  return firsts;
}

std::string card_of(const std::string& pci) {
  return pci.substr(0, pci.rfind('.'));
}

std::string speed_text(double gigabits_per_second) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", gigabits_per_second);
  return text.data();
}

std::vector<Nic> in_rail_order(std::vector<Nic> nics) {
  const bool by_pci = std::ranges::none_of(nics, &std::string::empty, &Nic::pci);
  std::ranges::sort(nics, [&](const Nic& left, const Nic& right) {
    // Digits of a PCI address are hexadecimal and of fixed width: as text they are in order.
    if (by_pci && left.pci != right.pci) return left.pci < right.pci;
    const int order = ::strverscmp(left.device.c_str(), right.device.c_str());
    return order != 0 ? order < 0 : left.port < right.port;
  });
  return nics;
}

std::string to_string(const Subnet& subnet) {
  return to_string(subnet.network) + "/" + std::to_string(subnet.prefix_length);
}

std::string address_of(const Nic& nic) {
  return nic.address + "/" + std::to_string(nic.prefix_length);
}

std::optional<Subnet> subnet_of(const Nic& nic) {
  const auto address = parse_ip_address(nic.address);
  if (!address || nic.prefix_length < 0 || nic.prefix_length > address_bits(*address)) return {};
  return Subnet{network_of(*address, nic.prefix_length), nic.prefix_length};
}

bool is_point_to_point(const Subnet& subnet) {
  return subnet.prefix_length >= address_bits(subnet.network) - 1;
}

}  // namespace railgauge::topology
