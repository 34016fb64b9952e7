#pragma once

#include <string>
#include <vector>

#include "topology/rail_rule.hpp"

namespace railgauge::topology {

/// What is to be said of a fabric's rails, a sentence each, with host, device, rail, cause and
/// remedy. A host is accused only if the others agree with each other, and it contradicts itself or
/// them; where there is no such majority, or addresses cannot say it, that is a note.
struct Findings {
  std::vector<std::string> mismatches{};   // over these rails nothing can run
  std::vector<std::string> impairments{};  // a rail is slow, or will be: a verdict, but it can run
  std::vector<std::string> warnings{};     // a host differs, in what need not matter
  std::vector<std::string> notes{};        // what is not known, and how to find out
};

/// Mismatches are:
/// - a rail that a host lacks, with the port that would be it and why it is none; a NIC more;
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
/// Another firmware or MTU than on most hosts, another model, and PCI links that carry less than
/// the port needs are warnings. What the user has said, --rail-map or --devices, is not questioned:
/// FoundRails then knows no subnets. A pure function.
Findings check_rails(const FoundRails& found);

}  // namespace railgauge::topology
