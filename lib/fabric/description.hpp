#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A fabric link by link, as data: `railgauge/fabric/1` (results-schema/railgauge-fabric-1.schema
// .json). Of switches that exist it tells names and cables; launchers/fabric builds hosts and links
// from it on one machine, softswitch the switches.

namespace railgauge::fabric::described {

/// How a switch chooses among the equal-cost ports of a route. Written "ecmp", "ecmp+qp", "wcmp",
/// "flowlet", "spray", "adaptive".
enum class Balance {
  ecmp,             ///< hash of the 5-tuple
  ecmp_queue_pair,  ///< hash of the 5-tuple and the destination queue pair
  wcmp,             ///< the same hash as ecmp, ports weighted by their rates
  flowlet,          ///< a flow may move to another port after a gap
  spray,            ///< every packet by itself, in turn
  adaptive,         ///< every packet to the shortest queue
};

struct Host {
  std::string name{};  ///< "host3"
  int pod = 0;         ///< of the fabric; hosts of a pod share leaves
};

struct Switch {
  std::string name{};                ///< "leaf1-0", "spine2"
  int tier = 1;                      ///< 1 leaf, 2 spine, 3 core; links join unequal tiers
  std::optional<int> rail{};         ///< that its hosts' ports are of, if of one
  std::optional<int> plane{};        ///< of that rail, or of the fabric
  std::optional<int> pod{};          ///< if it belongs to one
  std::string address{};             ///< IPv4: the source of its ICMP messages; filled in if empty
  std::optional<Balance> balance{};  ///< if not the fabric's
  std::optional<std::uint64_t> buffer_bytes{};  ///< likewise
};

/// Where a link ends.
struct LinkEnd {
  std::string node{};     ///< name of a host or switch
  std::string port{};     ///< unique within the node; a host's is the name of its netdev: "rail1"
  std::string address{};  ///< of hosts: "10.11.0.3/24", filled in if empty; of switches: empty
};

/// One cable, both directions alike. `a` is the host or the lower tier in all that we make.
struct Link {
  LinkEnd a{};
  LinkEnd b{};
  double rate_mbit_per_s = 200;  ///< of whole Ethernet frames
  double delay_us = 5;           ///< of propagation, one way
  int mtu_bytes = 4200;          ///< of IP packets
};

/// A class of traffic: one queue in every port.
struct Priority {
  int priority = 0;         ///< 0 to 7; higher ones are served first
  std::vector<int> dscp{};  ///< that map to it; what no priority names maps to priority 0
  bool lossless = false;    ///< PFC: pauses the sender rather than drop
  std::optional<std::uint64_t> ecn_kmin_bytes{};  ///< of a queue: CE marks begin; none: ECN is off
  std::optional<std::uint64_t> ecn_kmax_bytes{};  ///< every packet is marked
  double ecn_pmax = 0.2;                          ///< probability of a mark just below kmax
};

/// What all switches have in common.
struct Switching {
  std::uint64_t buffer_bytes = 512U << 10U;       ///< of one switch, shared by its ports
  double dynamic_threshold = 1;                   ///< a queue may have this × what is free (alpha)
  std::uint64_t pfc_headroom_bytes = 64U << 10U;  ///< per port and lossless priority
  double pfc_watchdog_ms = 200;  ///< paused for longer: the queue is dropped; 0: off
  Balance balance = Balance::ecmp;
  double flowlet_gap_us = 500;
  double reroute_after_ms = 50;  ///< a dead link leaves the routes; negative: never
  double icmp_per_second = 0;    ///< time exceeded messages of one switch at most; 0: any number
  std::vector<Priority> priorities{};  ///< empty in a file: the default ones
};

/// A fault from the start. In words, as softswitch's control socket takes them.
struct Fault {
  std::string at{};  ///< a link ("leaf1-0:spine2"), a port ("host3.rail1") or a switch
  std::string direction = "both";  ///< or "a-to-b", "b-to-a"; "both" for a switch
  std::string fault{};             ///< "loss=1% priority=3"
};

struct Fabric {
  std::string name = "fabric";       ///< "rail-optimised", or what its author calls it
  std::string description{};         ///< what it is for
  std::uint64_t seed = 1;            ///< of hashes and faults
  std::string addressing{"subnet"};  ///< of empty addresses: see addresses.hpp
  std::vector<Host> hosts{};
  std::vector<Switch> switches{};
  std::vector<Link> links{};
  Switching switching{};
  std::vector<Fault> faults{};
};

/// Reads a description and checks that it is about one fabric: names once each, links between what
/// there is, sensible thresholds, faults at what there is. Throws std::runtime_error with one
/// sentence that names the field: "links[3].b: there is no host or switch 'leaf9'".
Fabric fabric_of(const nlohmann::ordered_json& document);

/// The same of a text, in which no field may be there twice.
Fabric fabric_in(std::string_view text);

/// The checks alone.
void check(const Fabric& fabric);

/// The document; `fabric_of` of it is the same fabric.
nlohmann::ordered_json document_of(const Fabric& fabric);

/// "ecmp+qp". `balance_of` throws std::runtime_error with the words that are known.
std::string_view name_of(Balance balance);
Balance balance_of(std::string_view name);

/// "leaf1-0:spine2", or with ports, "host3.rail1:leaf0.host3-1", where two links join the same
/// nodes.
std::string link_name(const Fabric& fabric, std::size_t link);

/// The link that is called so: by `link_name`, "A:B" in either order if one link joins these, or
/// one of its ports, "host3.rail1". None if there is no such link, or more than one.
std::optional<std::size_t> find_link(const Fabric& fabric, std::string_view name);

[[nodiscard]] bool is_host(const Fabric& fabric, std::string_view node);

/// One of the cables between two switches, which traces know by their addresses.
struct SwitchLink {
  std::string lower{};  ///< the one of the lower tier
  std::string upper{};
  double gbps = 0;
};

[[nodiscard]] std::vector<SwitchLink> switch_links(const Fabric& fabric);

}  // namespace railgauge::fabric::described
