#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/rail_map.hpp"
#include "topology/rail_rule.hpp"

namespace railgauge::topology {

/// What tells which NICs of a host are planes of one rail.
enum class PlaneRule {
  none,   // each is a rail
  ports,  // they are ports of one device
  names,  // their names say rail and plane: eth_r0_p1
  cards,  // they are functions of one card
};

/// Rails have planes by the first of these that at least half of the hosts have:
/// 1. several ports of one device are in use;
/// 2. the names of all network devices, or of all RDMA devices, say rail and plane, as "eth_r0_p1"
///    and "rail3plane0" do;
/// 3. all cards have as many functions in use, and either four or more, or both of a card are in
///    one subnet, or their subnets run in two directions: 10.PLANE.RAIL.0 or 10.RAIL.PLANE.0. Two
///    functions whose subnets simply go on from card to card, as OCI's do, are two rails.
struct PlanesFound {
  PlaneRule rule = PlaneRule::none;
  /// What most rails have in use: port numbers, numbers in names, or functions. Empty: rails
  /// differ.
  std::vector<int> members{};
};

PlanesFound find_planes(const std::vector<Host>& hosts);

/// What a NIC is a part of by a rule, and its number there: port 6 of a device, function 1 of a
/// card.
/// {"", -1} if it is part of nothing.
struct Part {
  std::string of{};
  int member = -1;
};
Part part_of(const Nic& nic, PlaneRule rule);

/// Rail and plane that a name says: {0, 1} of "eth_r0_p1"; empty if it does not say both.
std::optional<RailPlane> place_in_name(const std::string& name);

/// Adds the ports that are left out, but would be planes of rails that the host has: so a host has
/// as many NICs as others though one of its planes is down, and knows which. They have no address.
void add_idle_planes(std::vector<Host>& hosts, const PlanesFound& planes);
/// Takes them away again.
void remove_idle_planes(std::vector<Host>& hosts);
/// Whether a NIC is one of those.
bool is_left_out(const Host& host, const Nic& nic);

/// Says which slots are planes of which rail: those that are so on most of the hosts that are as
/// most are. Puts the slots in order of rails and planes, and numbers rails and planes of all NICs.
void join_planes(FoundRails& found, const PlanesFound& planes);

/// For NICs with the rails that a user has said: numbers the planes that are left open (-1), of
/// ports of one device as most rails have them, else in order. Ports that are down count, if they
/// are planes on other rails or hosts. Throws std::invalid_argument if a host has two NICs at one
/// place.
void number_configured_planes(std::vector<Host>& hosts, const RailMap& map);

}  // namespace railgauge::topology
