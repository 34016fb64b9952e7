// Addresses, GIDs, routes and ARP: whether a rail's packets leave and arrive at its own port.

#include <algorithm>

#include "doctor/judging.hpp"

namespace railgauge::doctor {
namespace {

using finding::Cause;

Answer has_roce_gid(const Inputs& in) {
  const auto& gids = in.subject.port->gids;
  const auto count = std::ranges::count(gids, "RoCE v2", &topology::RdmaGid::type);
  if (count > 0) return passed(std::to_string(count));
  const auto untyped = std::ranges::count(gids, "", &topology::RdmaGid::type);
  if (untyped > 0)
    return {.verdict = Verdict::unknown,
            .remark = "types of " + std::to_string(untyped) + " GIDs could not be read"};
  return failed("0", "at least 1", "the port has no GID that RoCE v2 can use");
}

/// One that other hosts can be told.
Answer has_usable_gid(const Inputs& in) {
  const auto& gids = in.subject.port->gids;
  const auto usable = [](const topology::RdmaGid& gid) {
    return gid.type == "RoCE v2" && !is_ipv6_link_local(gid.gid) && !is_ipv4_link_local(gid.gid);
  };
  const auto found = std::ranges::find_if(gids, usable);
  if (found != gids.end()) return passed(to_string(found->gid));
  if (gids.empty()) return failed("none", "an IPv4 or global IPv6 address");
  return failed(to_string(gids.front().gid), "an IPv4 or global IPv6 address", "it is link-local");
}

/// Effective is the larger value of "all" and the interface (kernel ip-sysctl).
std::optional<int> effective(const Inputs& in) {
  const auto all = whole_in(in.values[0]);
  const auto own = whole_in(in.values[1]);
  if (!all || !own) return std::nullopt;
  return std::max(*all, *own);
}

template <int least, int most>
Answer within_shared_subnet(const Inputs& in) {
  if (neighbours_in_subnet(in.subject) == 0)
    return not_applicable("no other port of the host is in its subnet");
  const auto value = effective(in);
  if (!value) return not_understood(in.values[0] + ", " + in.values[1]);
  const std::string text = std::to_string(*value);
  if (*value >= least && *value <= most) return passed(text);
  return failed(
      text,
      least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most),
      "its subnet has several ports of this host");
}

/// Strict filtering drops what comes by one of several ports of a subnet.
Answer filters_loosely(const Inputs& in) {
  const auto value = effective(in);
  if (!value) return not_understood(in.values[0] + ", " + in.values[1]);
  const std::string text = std::to_string(*value);
  if (*value != 1 || neighbours_in_subnet(in.subject) == 0) return passed(text);
  return warned(text, "0 or 2", "its subnet has several ports of this host");
}

/// What the other hosts have of its addresses. Of an address that a proxy answers for, as in many
/// clouds, the MAC is nobody's here.
Answer answers_itself(const Inputs& in) {
  const auto& recording = in.subject.facts->recording;
  const std::string& own = in.values[0];
  bool seen = false;
  for (const topology::NetAddress& one : recording.addresses) {
    if (one.netdev != in.subject.netdev || !topology::is_ipv4(one.address)) continue;
    const std::string entry = to_string(one.address) + "=";
    seen = seen || in.hosts.neighbours.contains(std::string(entry).append(own));
    for (const std::string& other : recording.names("class/net")) {
      const std::string mac = recording.line("class/net/" + other + "/address");
      const auto wrong = in.hosts.neighbours.find(std::string(entry).append(mac));
      if (mac == own || wrong == in.hosts.neighbours.end()) continue;
      return failed(other, in.subject.netdev,
                    "by the neighbour table of " + wrong->second->map.host);
    }
  }
  if (!seen) return not_applicable("no recorded host has it as a neighbour");
  return passed(in.subject.netdev);
}

Answer knows_all(const Inputs& in) {
  const auto most = number_in(in.values.front());
  if (!most) return not_understood(in.values.front());
  const double peers = static_cast<double>(in.hosts.facts.size() * in.hosts.rails.found.rails);
  const double least = std::max(1024.0, 2 * peers);
  if (*most >= least) return passed(in.values.front());
  return failed(in.values.front(), "at least " + std::to_string(static_cast<int>(least)),
                "random peers become unreachable");
}

Answer leaves_itself(const Inputs& in) {
  const std::string& out = in.values.front();
  if (out == in.subject.netdev) return passed(out);
  return failed(out, in.subject.netdev, "packets of its address leave by another port");
}

Answer fits(const Inputs& in) {
  const auto mtu = number_in(in.values.front());
  if (!mtu) return not_understood(in.values.front());
  if (*mtu >= in.wanted.mtu_bytes) return passed(in.values.front());
  return warned(in.values.front(), "at least " + std::to_string(in.wanted.mtu_bytes),
                "RDMA packets carry less than 4096 bytes");
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): rows of data
Checks addressing_checks() {
  const std::string_view gids = "class/infiniband/{device}/ports/{port}/state";
  return {
      {.name = "roce-gid",
       .title = "number of RoCE v2 GIDs",
       .of = Kind::port,
       .reads = {gids},
       .expects = "at least 1",
       .needs = roce,
       .judge = has_roce_gid,
       .cause = Cause::unusable_address,
       .remedy = "ip address add ADDRESS/LENGTH dev {netdev}; ip link set {netdev} up",
       .source = "NCCL issue 426: a GID by its type and address, not by a fixed index"},
      {.name = "gid-address",
       .title = "address in its GIDs",
       .of = Kind::port,
       .reads = {gids},
       .expects = "an IPv4 or global IPv6 address",
       .needs = roce,
       .judge = has_usable_gid,
       .cause = Cause::unusable_address,
       .remedy = "ip address add ADDRESS/LENGTH dev {netdev}",
       .source = "torchcomms PR 2945: no link-local GIDs"},
      {.name = "rails",
       .title = "rails of hosts",
       .of = Kind::fabric,
       .expects = "every host has every rail and plane",
       .adopts = {Cause::missing_rail, Cause::missing_plane, Cause::extra_nic, Cause::bond},
       .source = "own rule: collectives use every rail of every host"},
      {.name = "subnets",
       .title = "subnets of rails",
       .of = Kind::fabric,
       .expects = "a rail has one subnet on all hosts",
       .adopts = {Cause::wrong_subnet, Cause::crossed_rails, Cause::unusable_address},
       .source = "OCI oci-hpc, interface.j2: rail i has subnet i on all hosts"},
      {.name = "unique-address",
       .title = "addresses",
       .of = Kind::fabric,
       .expects = "no two ports have the same",
       .adopts = {Cause::duplicate_address},
       .source = "AMD CVS preflight: interface consistency"},
      {.name = "source-route",
       .title = "port that its packets leave by",
       .of = Kind::port,
       .reads = {"route/{netdev}"},
       .expects = "itself",
       .needs = roce,
       .absent = "it has no IPv4 subnet with other hosts",
       .judge = leaves_itself,
       .cause = Cause::routing,
       .remedy =
           "ip rule add from ADDRESS lookup TABLE; ip route add SUBNET dev {netdev} table TABLE",
       .source = "UCX uct_ib_iface: reachability by route; UCX issue 10027"},
      {.name = "arp-ignore",
       .title = "arp_ignore",
       .of = Kind::port,
       .reads = {"proc/sys/net/ipv4/conf/all/arp_ignore",
                 "proc/sys/net/ipv4/conf/{netdev}/arp_ignore"},
       .expects = "1 or 2, where several ports share a subnet",
       .needs = hardware | roce,
       .judge = within_shared_subnet<1, 2>,
       .cause = Cause::routing,
       .remedy = "sysctl -w net.ipv4.conf.{netdev}.arp_ignore=1; ip neigh flush all",
       .source = "OCI update_arp_settings.sh: 2; NCCL issue 601"},
      {.name = "arp-flux",
       .title = "port that answers ARP for its address",
       .of = Kind::port,
       .reads = {"class/net/{netdev}/address", "neighbours/{netdev}"},
       .expects = "itself, by the neighbour tables of all hosts",
       .needs = roce,
       .judge = answers_itself,
       .cause = Cause::routing,
       .remedy =
           "sysctl -w net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2; on all "
           "hosts: ip neigh flush all",
       .source = "kernel ip-sysctl, arp_ignore: the MAC that neighbours have, whatever is set"},
      {.name = "arp-announce",
       .title = "arp_announce",
       .of = Kind::port,
       .reads = {"proc/sys/net/ipv4/conf/all/arp_announce",
                 "proc/sys/net/ipv4/conf/{netdev}/arp_announce"},
       .expects = "1 or 2, where several ports share a subnet",
       .needs = hardware | roce,
       .judge = within_shared_subnet<1, 2>,
       .cause = Cause::routing,
       .remedy = "sysctl -w net.ipv4.conf.{netdev}.arp_announce=2; ip neigh flush all",
       .source = "OCI update_arp_settings.sh: 1; NCCL issue 601"},
      {.name = "rp-filter",
       .title = "rp_filter",
       .of = Kind::port,
       .reads = {"proc/sys/net/ipv4/conf/all/rp_filter",
                 "proc/sys/net/ipv4/conf/{netdev}/rp_filter"},
       .expects = "not 1, where several ports share a subnet",
       .needs = hardware | roce,
       .judge = filters_loosely,
       .cause = Cause::routing,
       .remedy = "sysctl -w net.ipv4.conf.{netdev}.rp_filter=2",
       .source = "libfabric wiki, multi-NIC systems; OCI: 2"},
      {.name = "neighbour-table",
       .title = "limit of neighbours (gc_thresh3)",
       .reads = {"proc/sys/net/ipv4/neigh/default/gc_thresh3"},
       .expects = "at least 1024, and twice the ports of all hosts",
       .judge = knows_all,
       .cause = Cause::routing,
       .remedy = "sysctl -w net.ipv4.neigh.default.gc_thresh3=65536",
       .source = "OCI run_meshpinger.sh: ARP table too small"},
      {.name = "mtu",
       .title = "MTU",
       .of = Kind::port,
       .reads = {"class/net/{netdev}/mtu"},
       .expects = "at least 4200, or the policy's",
       .needs = hardware | roce,
       .judge = fits,
       .cause = Cause::mtu,
       .remedy = "ip link set {netdev} mtu 9000, and the same on the switch",
       .source = "kernel iboe_get_mtu: 4192 and more give 4096"},
      {.name = "mtu-of-rail",
       .title = "MTUs of a rail",
       .of = Kind::fabric,
       .expects = "all ports of a rail have the same",
       .adopts = {Cause::mtu},
       .source = "Meta GCM eth_learn_mtu_bad"},
  };
}

}  // namespace railgauge::doctor
