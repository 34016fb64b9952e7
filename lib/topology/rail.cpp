#include "topology/rail.hpp"

#include <algorithm>
#include <cstring>

namespace railgauge::topology {

std::string name_of(const Nic& nic) {
  return nic.port == 1 ? nic.device : nic.device + " port " + std::to_string(nic.port);
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

}  // namespace railgauge::topology
