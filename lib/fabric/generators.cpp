#include "fabric/generators.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::fabric {

namespace {

double port_gbps(const Request& request) {
  return request.nic_gbps / static_cast<double>(request.planes);
}

}  // namespace

double uplink_gbps(const Request& request) {
  return request.uplink_gbps > 0 ? request.uplink_gbps : port_gbps(request);
}

std::string of_speed(double gbps) {
  return number(gbps) + "G";
}

bool is_prime(Count of) {
  if (of < 2) return false;
  for (Count by = 2; by * by <= of; ++by) {
    if (of % by == 0) return false;
  }
  return true;
}

namespace {

struct SpineTooSmall : Impossible {
  using Impossible::Impossible;
};

Count uplinks_for(const Request& request, Count down) {
  return static_cast<Count>(std::ceil(static_cast<double>(down) * port_gbps(request) /
                                          (request.oversubscription * uplink_gbps(request)) -
                                      1e-9));
}

bool fits_leaf(const Request& request, Count down) {
  return request.leaf.ports_of(down, port_gbps(request)) +
             request.leaf.ports_of(uplinks_for(request, down), uplink_gbps(request)) <=
         request.leaf.ports;
}

/// As many NIC ports as a leaf has room for with their uplinks.
Count most_down(const Request& request) {
  Count down = request.leaf.links(port_gbps(request));
  while (down > 0 && !fits_leaf(request, down)) --down;
  return down;
}

void check_speeds(const Request& request) {
  const auto slower = [](const SwitchModel& model, const char* what, double gbps) {
    if (model.links(gbps) > 0) return;
    throw Impossible("a port of a " + model.text() + " " + what + " is slower than " +
                     of_speed(gbps));
  };
  slower(request.leaf, "leaf", port_gbps(request));
  slower(request.leaf, "leaf", uplink_gbps(request));
  slower(request.spine, "spine", uplink_gbps(request));
}

/// NIC ports of a host that a leaf has.
Count ports_of_host(const Request& request, const Fabric& fabric) {
  return fabric.by_rail ? 1 : request.nics;
}

Fabric with_leaves(const Request& request, Fabric fabric) {
  const Count each = ports_of_host(request, fabric);
  const Count most = most_down(request) / each;
  if (most == 0) {
    throw Impossible("a " + request.leaf.text() + " leaf has no room for the " +
                     std::to_string(each) + " ports of a host and their uplinks");
  }
  if (request.hosts_per_leaf > most) {
    throw Impossible("a " + request.leaf.text() + " leaf has room for " + std::to_string(most) +
                     " hosts and their uplinks, not for " + std::to_string(request.hosts_per_leaf));
  }
  const Count limit = request.hosts_per_leaf > 0 ? request.hosts_per_leaf : most;
  const Count blocks = divided_up(request.hosts, limit);
  fabric.hosts_per_leaf = divided_up(request.hosts, blocks);
  return fabric;
}

/// As few spines as divide the uplinks and have ports for all leaves: S | u, leaves x u/S <= radix.
Count fewest_spines(Count uplinks, Count leaves, Count radix) {
  for (Count spines = 1; spines <= uplinks; ++spines) {
    if (uplinks % spines == 0 && leaves * (uplinks / spines) <= radix) return spines;
  }
  return 0;
}

void choose_spines(const Request& request, Fabric& fabric, Count leaves, Count radix) {
  const Count uplinks =
      uplinks_for(request, fabric.hosts_per_leaf * ports_of_host(request, fabric));
  const Count spines = request.spines > 0 ? request.spines : fewest_spines(uplinks, leaves, radix);
  if (spines > 0 && uplinks % spines != 0) {
    throw Impossible(std::to_string(uplinks) + " uplinks of a leaf do not divide by " +
                     std::to_string(spines) + " spines" +
                     (is_prime(uplinks) ? ": that number is prime" : ""));
  }
  if (spines == 0 || leaves * (uplinks / spines) > radix) {
    const Count bundle = spines == 0 ? 1 : uplinks / spines;
    throw SpineTooSmall(counted(leaves) + (fabric.joined_rails ? " leaves" : " leaves of a rail") +
                        " with " + std::to_string(bundle) + " uplink(s) per spine need spines of " +
                        std::to_string(leaves * bundle) + " ports, and a " + request.spine.text() +
                        " spine has " + std::to_string(radix) + " of " +
                        of_speed(uplink_gbps(request)));
  }
  fabric.spines = spines;
  fabric.bundle = uplinks / spines;
  fabric.up_gbps = uplink_gbps(request);
}

Fabric started(const Request& request) {
  Fabric fabric;
  fabric.generator = request.generator;
  fabric.hosts = request.hosts;
  fabric.nics = request.nics;
  fabric.planes = request.planes;
  fabric.port_gbps = port_gbps(request);
  fabric.by_rail =
      !request.generator.starts_with("clos") && !request.generator.starts_with("dragonfly");
  fabric.joined_rails = request.generator != "rail-only";
  return fabric;
}

Count leaves_under_a_spine(const Fabric& fabric) {
  const Count groups = fabric.by_rail && fabric.joined_rails ? fabric.nics : 1;
  return groups * divided_up(fabric.hosts, fabric.hosts_per_leaf);
}

Fabric two_tiers(const Request& request, Fabric fabric) {
  fabric = with_leaves(request, std::move(fabric));
  const Count leaves = leaves_under_a_spine(fabric);
  if (leaves == 1) {
    fabric.spines = 0;
    return fabric;
  }
  choose_spines(request, fabric, leaves, request.spine.links(uplink_gbps(request)));
  return fabric;
}

/// Pods as large as half of a spine's ports allow; cores as few as there can be.
Fabric three_tiers(const Request& request) {
  Fabric fabric = with_leaves(request, started(request));
  const Count radix = request.spine.links(uplink_gbps(request));
  const Count blocks = divided_up(fabric.hosts, fabric.hosts_per_leaf);
  const Count pods = divided_up(blocks, std::max<Count>(1, radix / 2));
  fabric.pod_blocks = divided_up(blocks, pods);
  if (pods < 2) throw Impossible("one pod holds all hosts, and needs no third tier");
  choose_spines(request, fabric, fabric.pod_blocks, radix / 2);
  const Count up = fabric.pod_blocks * fabric.bundle;
  fabric.cores = fewest_spines(up, pods, radix);
  if (fabric.cores == 0 || 2 * up > radix) {
    throw Impossible(std::to_string(pods) + " pods need spines and cores of more ports than the " +
                     std::to_string(radix) + " of a " + request.spine.text() + " switch");
  }
  fabric.core_bundle = up / fabric.cores;
  fabric.core_gbps = fabric.up_gbps;
  return fabric;
}

/// A group has as many leaves as half of a spine's ports; the rest go to other groups.
Fabric dragonfly(const Request& request) {
  Fabric fabric = with_leaves(request, started(request));
  const Count half = request.spine.links(uplink_gbps(request)) / 2;
  const Count blocks = divided_up(fabric.hosts, fabric.hosts_per_leaf);
  const Count groups = divided_up(blocks, std::max<Count>(1, half));
  if (groups < 2) throw Impossible("one group holds all hosts, and needs no links to others");
  if (groups - 1 > half)
    throw Impossible("a spine has " + std::to_string(half) + " ports for other groups, and " +
                     counted(groups) + " groups need one for each");
  fabric.pod_blocks = divided_up(blocks, groups);
  choose_spines(request, fabric, fabric.pod_blocks, half);
  const Count others = divided_up(blocks, fabric.pod_blocks) - 1;
  fabric.core_bundle = std::max<Count>(1, fabric.pod_blocks * fabric.bundle / others);
  fabric.core_gbps = fabric.up_gbps;
  return fabric;
}

/// Two sites alike, as far as the number of hosts allows.
Fabric sites(const Request& request, std::vector<std::string>& remarks) {
  if (request.hosts < 2) throw Impossible("two sites need two hosts");
  Request site = request;
  site.hosts = divided_up(request.hosts, 2);
  Fabric fabric = with_leaves(site, started(site));
  fabric.pod_blocks = divided_up(site.hosts, fabric.hosts_per_leaf);
  const Count leaves = leaves_under_a_spine(fabric);
  choose_spines(site, fabric, leaves, site.spine.links(uplink_gbps(site)) - 1);
  fabric.hosts = request.hosts;
  fabric.core_bundle = std::max<Count>(1, request.wan.ports / fabric.spines);
  fabric.core_gbps = request.wan.ports > 0 ? request.wan.gbps : fabric.up_gbps;
  fabric.core_delay_us = request.wan_delay_us;
  const Count links = fabric.spines * fabric.core_bundle;
  if (request.wan.ports > 0 && links != request.wan.ports)
    remarks.push_back("The sites are joined by " + counted(links) + " links, not " +
                      counted(request.wan.ports) + ": each spine has as many.");
  const SwitchModel& spine = request.spine;
  if (fabric.core_gbps > spine.gbps ||
      spine.ports_of(leaves * fabric.bundle, fabric.up_gbps) +
              spine.ports_of(fabric.core_bundle, fabric.core_gbps) >
          spine.ports)
    throw Impossible("a " + spine.text() + " spine has no ports for " +
                     counted(fabric.core_bundle) + " link(s) of " + of_speed(fabric.core_gbps) +
                     " to the other site");
  return fabric;
}

Fabric rails(const Request& request, std::vector<std::string>& remarks) {
  const Fabric start = started(request);
  try {
    return two_tiers(request, start);
  } catch (const SpineTooSmall&) {
    if (!start.joined_rails || request.nics == 1) throw;
  }
  Fabric apart = start;
  apart.joined_rails = false;
  apart = two_tiers(request, apart);
  remarks.emplace_back(
      "Each rail has spines of its own, because no spine has ports for the leaves of all rails: "
      "rails meet inside the hosts only.");
  return apart;
}

}  // namespace

const std::vector<std::string>& generators() {
  static const std::vector<std::string> kNames{"rail-optimised", "rail-only", "clos-2",
                                               "clos-3",         "fat-tree",  "multi-plane",
                                               "dragonfly+",     "multi-site"};
  return kNames;
}

Fabric fat_tree(const Request& request) {
  if (request.k < 2 || request.k % 2 != 0) {
    throw std::invalid_argument(
        "a fat-tree needs an even K of 2 or more, not " + std::to_string(request.k) +
        "; possible: K " + std::to_string(std::max<Count>(2, request.k - request.k % 2)) + " or " +
        std::to_string(request.k + request.k % 2 + (request.k == 0 ? 2 : 0)));
  }
  const Count half = request.k / 2;
  return {.generator = "fat-tree",
          .hosts = half * half * request.k,
          .nics = 1,
          .port_gbps = request.nic_gbps,
          .by_rail = false,
          .hosts_per_leaf = half,
          .spines = half,
          .up_gbps = request.nic_gbps,
          .pod_blocks = half,
          .cores = half,
          .core_gbps = request.nic_gbps};
}

Fabric generated(const Request& request, std::vector<std::string>& remarks) {
  check_speeds(request);
  if (request.generator == "clos-3") return three_tiers(request);
  if (request.generator == "dragonfly+") return dragonfly(request);
  if (request.generator == "multi-site") return sites(request, remarks);
  if (request.generator == "clos-2") return two_tiers(request, started(request));
  return rails(request, remarks);
}

}  // namespace railgauge::fabric
