#include "topology/rail.hpp"

#include <algorithm>
#include <cstring>

namespace railgauge::topology {

std::vector<Nic> in_rail_order(std::vector<Nic> nics) {
  std::ranges::sort(nics, [](const Nic& left, const Nic& right) {
    const int order = ::strverscmp(left.device.c_str(), right.device.c_str());
    return order != 0 ? order < 0 : left.port < right.port;
  });
  return nics;
}

}  // namespace railgauge::topology
