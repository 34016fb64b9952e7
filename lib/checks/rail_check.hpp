#pragma once

#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "finding/outcome.hpp"
#include "topology/rail_rule.hpp"
#include "topology/report.hpp"

namespace railgauge::checks {

/// What is wrong with the rails of hosts. A host is accused only if the others agree with each
/// other, and it contradicts itself or them; where there is no such majority, or addresses cannot
/// tell, the finding is information.
///
/// Errors over which nothing can run (prevents_run()):
/// - missing_rail: a rail that a host lacks with all its planes, with the ports that would be it
///   and why they are none; if no host has a rail, every port that can be repaired. missing_plane:
///   a rail without a plane that all hosts have. extra_nic;
/// - wrong_subnet: a NIC outside the subnet of its rail: a wrong prefix length, another address
///   listed first, IPv6 where the others have IPv4, or a wrong address or cable; where subnets do
///   not tell the rail, another prefix length, or link-local and routable addresses;
/// - crossed_rails: NICs with the subnets of each other's places. If it is the board that is
///   another one, or names agree with the subnets, that is information. A board of a minority is
///   compared with the other hosts that have it, with a single one as a possibility;
/// - duplicate_address: in use on one, and on another or a further address there; duplicate_name;
///   unusable_address: none, a loopback address, or a subnet's network or broadcast address;
/// - bond: on one host.
/// Errors with which it can run:
/// - link_speed: slower than most of its rail and model; a bond that lacks a member;
/// - pcie_link: slower than both its ends could be, if the port needs more; a slot that carries two
///   thirds of what the port needs or less, unless it is so on most hosts;
/// - numa_node: another one than on most hosts; duplicate_guid.
/// Warnings: link_speed: RDMA and network device say different ones; pcie_link: the device supports
/// no more than it has; missing_plane: of a rail that the host has (what no host has is
/// information); firmware, mtu, nic_model; pcie_link: that carries less than the port needs;
/// missing_rail and link_speed: a port of the rails' model that no host uses, although all have
/// given it an address, or although only its speed sets it apart from the rails' series. What
/// the user has said, --rail-map or --devices, is not questioned: FoundRails then knows no subnets.
///
/// All are facts that were read from the hosts. A pure function.
[[nodiscard]] std::vector<finding::Finding> check_rails(const topology::FoundRails& found);

/// Whether nothing can run over these rails.
[[nodiscard]] bool prevents_run(const finding::Finding& finding);

// Its parts.

/// Addresses that are not in the subnets of their rails.
void check_subnets(const topology::FoundRails& found, std::vector<finding::Finding>& findings);
/// Speeds, PCI links, NUMA nodes, models, firmware and MTUs that are not as on most hosts.
void check_majorities(const topology::FoundRails& found, std::vector<finding::Finding>& findings);

/// What is wrong with the rails of hosts (rail_check.hpp). A host without rails is not tested.
[[nodiscard]] finding::Report check_hosts(const topology::Report& report);

/// For people, after topology::as_table(): errors, warnings and notes, and the outcome.
[[nodiscard]] std::string as_text(const finding::Report& report);

}  // namespace railgauge::checks
