#pragma once

#include <optional>
#include <string>

#include "topology/host_map.hpp"
#include "topology/rail.hpp"
#include "topology/rail_map.hpp"

namespace railgauge::topology {

/// What the user says about which ports are rails.
struct NicWishes {
  std::optional<PortPattern> include{};  // only these
  std::optional<PortPattern> exclude{};  // not these
  RailMap rail_map{};                    // if not empty: only these
  std::string fabric{};                  // only those of this fabric (fabrics.hpp); "": the rails'

  /// Whether the user has named ports, and so said which fabric they are of.
  [[nodiscard]] bool names_ports() const { return include.has_value() || !rail_map.empty(); }
  /// Where the user says that ports are: by the map, or else as `include` does in NCCL's words.
  [[nodiscard]] RailMap said() const;
};

/// Takes NCCL's own choice (NCCL_IB_HCA), where no wish says which ports are rails. Returns what is
/// to be said of it; empty: nothing was taken.
std::string take_nccl_ports(NicWishes& wishes);

/// The ports of a host that could be rails, in rail order (rail.hpp), and the others. Left out,
/// with the reason, are:
/// - what the user excludes, does not include, or leaves out of the rail map;
/// - what cannot be used: a port that is not active, not Ethernet, or without a RoCE v2 GID with an
///   address of this network namespace; a member of a bond;
/// - unless the user selects it, a virtual function (SR-IOV) whose physical one could be a rail:
///   they share a wire.
/// Which of them are for storage or management takes all hosts to tell: fabrics.hpp.
Host choose_nics(const HostMap& host, const NicWishes& wishes = {});

/// Completes what is known of a NIC, by its device, port, netdev and address, from the map of its
/// host: PCI, model, firmware, GUID, NUMA node, bond, other addresses, default route. Its speed is
/// that of its network device, if the two differ.
void describe(Nic& nic, const HostMap& host);

/// "its PCI link from … to … is x8 32 GT/s, and both ends support x16 32 GT/s"; "" if no link above
/// the function is degraded.
std::string degraded_clause(const PciFunction& pci);

/// Why the user does not want a port, as a clause; "" if it is wanted, or not mentioned.
std::string why_unwanted(const std::string& device, int port, const NicWishes& wishes);

}  // namespace railgauge::topology
