#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/nic_choice.hpp"
#include "topology/rail.hpp"

namespace railgauge::topology {

/// For every rail i, the subnet in which most hosts have it. Only hosts with the usual number of
/// rails are counted, as a missing one shifts all that follow. Empty for a rail of point-to-point
/// links.
std::vector<std::optional<Subnet>> usual_subnets(const std::vector<Host>& hosts);

/// For every NIC of a host, the rail whose usual subnet it is in. Empty unless each is in one, no
/// two share a rail, and the rails' subnets differ.
std::vector<int> rails_by_subnet(const Host& host, const std::vector<std::optional<Subnet>>& usual);

/// Says that a host's NICs are on each other's rails, and what to do; "" if `rails`
/// (rails_by_subnet) are in order.
std::string crossing(const Host& host, const std::vector<int>& rails);

/// What is wrong with the subnets of rails, one sentence each: crossed rails, and NICs outside
/// their rail's subnet.
std::vector<std::string> check_subnets(const std::vector<Host>& hosts);

/// How rails were numbered.
enum class RailRule { user_map, shared_subnets, pci_order, device_names };

/// "user map", "shared subnets", "PCI order", "device names"
std::string_view words(RailRule rule);

struct FoundRails {
  RailRule rule = RailRule::pci_order;
  std::string reason{};       // why this rule and not an earlier one; "" for the user's map
  std::vector<Host> hosts{};  // with their NICs in the order of their rails
  std::vector<std::string> crossed{};  // hosts whose cables are crossed, one sentence each
};

/// Numbers the rails of all hosts alike, by the first of these that applies:
/// 1. the user's map, if it is not empty: NICs that it does not name are not rails;
/// 2. subnets that several hosts share: NICs in one subnet are on one rail. Each NIC of each host
///    has to be in the subnet of another rail; rails are numbered as most hosts have them in PCI
///    order. A host where PCI order says otherwise has crossed cables: it could run, as its
///    addresses are right, but it is cabled differently from the others;
/// 3. PCI order; and if the PCI addresses are not known, device names. This is the rule for
///    fabrics that are routed to the host (/31, /127), and for a single host.
FoundRails find_rails(std::vector<Host> hosts, const RailMap& map = {});

}  // namespace railgauge::topology
