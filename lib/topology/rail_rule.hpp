#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "topology/nic_choice.hpp"
#include "topology/rail.hpp"
#include "topology/rail_groups.hpp"

namespace railgauge::topology {

/// How rails were numbered.
enum class RailRule { user_map, shared_subnets, pci_order, device_names };

/// "user map", "shared subnets", "PCI order", "device names"
std::string_view words(RailRule rule);

struct FoundRails {
  RailRule rule = RailRule::pci_order;
  std::string reason{};  // why this rule and not an earlier one; "" for the user's map
  std::vector<Host>
      hosts{};            // NICs in order of slots with their numbers; those beyond are last (-1)
  std::size_t rails = 0;  // as most hosts have; of as many the larger number
  std::vector<RailPlane> slots{};   // the planes of these rails, in order
  std::vector<RailGroup> groups{};  // one, without subnets, if the user has said the rails
  bool boards_alike = false;        // whether most hosts have their rails at the same PCI addresses
};

/// The slots that every host has: those over which all can exchange data.
std::vector<RailPlane> common_slots(const FoundRails& found);

/// Numbers the rails of all hosts alike, by the first of these that applies:
/// 1. the user's map, if it is not empty: NICs that it does not name are not rails;
/// 2. subnets that hosts share, whatever the NICs' places: for each group of hosts that share
///    subnets, as those behind a leaf do, the subnets that most of them have. They are numbered as
///    most have them in PCI order; if there is no such order, by their addresses. A host that
///    differs in one subnet is still of the group. Where two hosts or three leave a rail's subnet
///    open, it is the one that continues the series of the other rails';
/// 3. PCI order; and if the PCI addresses are not known, device names. This is the rule where
///    addresses cannot say it: for fabrics that are routed to the host (/31, /127, a subnet for
///    each port), for link-local addresses, for NICs of a host in one subnet, and for a single
///    host.
/// A NIC whose address does not tell has the rail that NICs at its PCI address, or of its name,
/// have on the other hosts, and else the first one free.
/// All of this numbers slots, each the place of one NIC of a host. Which of them are planes of one
/// rail is found last (planes.hpp). Throws std::invalid_argument if a map puts two NICs of a host
/// at one place.
FoundRails find_rails(std::vector<Host> hosts, const RailMap& map = {});

/// The same for hosts whose NICs the user has named, which have their rails, and planes (-1 if they
/// are left open); those without a rail (-1) are one rail each, in their order. `map` says where
/// ports are that are named, and left out since they cannot be used: planes that are down.
FoundRails named_rails(std::vector<Host> hosts, const RailMap& map = {});

/// The port of a host that is where the other hosts have a NIC's rail, if it is left out as of
/// another fabric: the two have each other's address. nullptr if there is none.
const LeftOut* swapped_with(const FoundRails& found, const Host& host, const Nic& nic);

}  // namespace railgauge::topology
