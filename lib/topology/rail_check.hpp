#pragma once

#include <string>
#include <vector>

#include "topology/rail_rule.hpp"

namespace railgauge::topology {

/// A plane that a host lacks of a rail that it has: the rail is slower, and runs.
struct LostPlane {
  std::string host{};
  std::string device{};
  int port = 1;
  RailPlane place{};
  std::string reason{};  // as a clause: "its port is DOWN"
};

/// What is to be said of a fabric's rails, a sentence each, with host, device, rail, cause and
/// remedy. A host is accused only if the others agree with each other, and it contradicts itself or
/// them; where there is no such majority, or addresses cannot say it, that is a note.
struct Findings {
  std::vector<LostPlane> lost_planes{};    // which the warnings name, too
  std::vector<std::string> mismatches{};   // over these rails nothing can run
  std::vector<std::string> impairments{};  // a rail is slow, or will be: a verdict, but it can run
  std::vector<std::string> warnings{};     // a host differs, in what need not matter
  std::vector<std::string> notes{};        // what is not known, and how to find out
};

/// Mismatches are:
/// - a rail that a host lacks with all its planes, with the ports that would be it and why they are
///   none; a rail without a plane that all hosts have; a NIC more;
/// - a NIC outside the subnet of its rail: a wrong prefix length, another address listed first,
/// IPv6
///   where the others have IPv4, or a wrong address or cable;
/// - crossed rails: NICs with the subnets of each other's places. If it is the board that is
///   another one, or names agree with the subnets, that is a note;
/// - an address, or a host's name, that is there twice; no address; a loopback address;
/// - a bond on one host.
/// Impairments are:
/// - a link slower than most of its rail and model;
/// - a PCI link slower than both its ends could be, if the port needs more; a slot that carries two
///   thirds of what the port needs or less, unless it is so on most hosts;
/// - another NUMA node than on most hosts; a node GUID that is there twice.
/// A plane that a host lacks of a rail is a warning, with what it costs; one that no host has,
/// though other rails have it, is a note. Another firmware or MTU than on most hosts, another
/// model, and PCI links that carry less than the port needs are warnings. What the user has said,
/// --rail-map or --devices, is not questioned: FoundRails then knows no subnets. A pure function.
Findings check_rails(const FoundRails& found);

}  // namespace railgauge::topology
