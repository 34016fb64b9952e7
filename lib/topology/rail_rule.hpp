#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topology/rail.hpp"
#include "topology/rail_map.hpp"

namespace railgauge::topology {

/// How rails were numbered.
enum class RailRule { user_map, shared_subnets, pci_order, device_names };

/// "user map", "shared subnets", "PCI order", "device names"
std::string_view words(RailRule rule);

struct FoundRails {
  RailRule rule = RailRule::pci_order;
  std::string reason{};                // why this rule and not one before it; "" for the user's map
  std::vector<Host> hosts{};           // with their NICs in the order of their rails
  std::vector<std::string> crossed{};  // hosts whose cables are crossed, one sentence each
};

/// Numbers the rails of all hosts alike, by the first of these that can:
/// 1. the user's map, if it is not empty: NICs that it does not name are no rails;
/// 2. subnets that several hosts share: NICs in one subnet are on one rail. Each NIC of each host
///    has to be in the subnet of another rail; rails are numbered as most hosts have them in PCI
///    order. A host where PCI order says otherwise has crossed cables: it could run, as
///    addresses are right, but it does not stand as the others do;
/// 3. PCI order; and if the PCI addresses are not known, device names. So for fabrics that are
/// routed
///    to the host (/31, /127), and for a host alone.
FoundRails find_rails(std::vector<Host> hosts, const RailMap& map = {});

}  // namespace railgauge::topology
