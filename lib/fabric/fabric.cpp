#include "fabric/fabric.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace railgauge::fabric {
namespace {

/// Spines that leaves share: one set for each plane, pod, and rail if rails are not joined.
Count spine_sets_of_plane(const Fabric& fabric, const Parts& parts) {
  return (fabric.joined_rails ? 1 : parts.groups) * parts.pods;
}

void count_links(const Fabric& fabric, Parts& parts) {
  const Count rails = fabric.joined_rails ? parts.groups : 1;
  const Count pod_blocks = fabric.pod_blocks == 0 ? parts.blocks : fabric.pod_blocks;
  parts.host_links = fabric.hosts * fabric.nics * fabric.planes;
  parts.leaf_links = parts.leaves * fabric.spines * fabric.bundle;
  const Count others = joins_pods_directly(fabric) ? parts.pods - 1 : 0;
  parts.core_links = parts.spines * fabric.cores * fabric.core_bundle +
                     parts.spines * others / 2 * fabric.core_bundle;
  parts.leaf_down_ports = fabric.hosts_per_leaf * (fabric.by_rail ? 1 : fabric.nics);
  parts.leaf_up_ports = fabric.spines * fabric.bundle;
  parts.spine_down_ports = fabric.spines == 0 ? 0 : pod_blocks * rails * fabric.bundle;
  parts.spine_up_ports = (fabric.cores + others) * fabric.core_bundle;
  parts.core_ports = fabric.cores == 0 ? 0 : parts.pods * fabric.core_bundle;
}

}  // namespace

Parts parts_of(const Fabric& fabric) {
  Parts parts;
  parts.groups = fabric.by_rail ? fabric.nics : 1;
  parts.blocks = divided_up(fabric.hosts, fabric.hosts_per_leaf);
  parts.pods = fabric.pod_blocks == 0 ? 1 : divided_up(parts.blocks, fabric.pod_blocks);
  parts.leaves = fabric.planes * parts.groups * parts.blocks;
  parts.spines = fabric.planes * spine_sets_of_plane(fabric, parts) * fabric.spines;
  parts.cores = parts.pods == 0 ? 0 : parts.spines / parts.pods * fabric.cores;
  count_links(fabric, parts);
  return parts;
}

bool joins_pods_directly(const Fabric& fabric) {
  return fabric.pod_blocks > 0 && fabric.cores == 0;
}

double nic_gbps(const Fabric& fabric) {
  return fabric.port_gbps * real(fabric.planes);
}

Count nics_of(const Fabric& fabric) {
  return fabric.hosts * fabric.nics;
}

double oversubscription(const Fabric& fabric) {
  const Parts parts = parts_of(fabric);
  if (parts.leaf_up_ports == 0) return 1;
  return real(parts.leaf_down_ports) * fabric.port_gbps /
         (real(parts.leaf_up_ports) * fabric.up_gbps);
}

double core_oversubscription(const Fabric& fabric) {
  const Parts parts = parts_of(fabric);
  if (parts.spine_up_ports == 0) return 1;
  return real(parts.spine_down_ports) * fabric.up_gbps /
         (real(parts.spine_up_ports) * fabric.core_gbps);
}

double bisection_gbps(const Fabric& fabric) {
  const Parts parts = parts_of(fabric);
  double least = real(parts.host_links) * fabric.port_gbps;
  if (fabric.spines > 0) least = std::min(least, real(parts.leaf_links) * fabric.up_gbps);
  if (fabric.cores > 0) least = std::min(least, real(parts.core_links) * fabric.core_gbps);
  if (joins_pods_directly(fabric)) {
    const Count half = parts.pods / 2;  // links of these to the others
    const Count across = half * (parts.pods - half) * (parts.spines / parts.pods);
    least = std::min(least, 2 * real(across * fabric.core_bundle) * fabric.core_gbps);
  }
  return least / 2;
}

double payload_fraction(int mtu_bytes) {
  constexpr double kHeaderBytes = 82;
  return mtu_bytes / (mtu_bytes + kHeaderBytes);
}

double crossing_fraction(const Fabric& fabric) {
  if (fabric.hosts < 2) return 0;
  return real(fabric.hosts - std::min(fabric.hosts, fabric.hosts_per_leaf)) /
         real(fabric.hosts - 1);
}

int most_switches(const Fabric& fabric) {
  if (fabric.spines == 0) return 1;
  if (joins_pods_directly(fabric)) return 4;
  return fabric.cores == 0 ? 3 : 5;
}

Count leaf_of(const Fabric& fabric, Count host, Count nic, Count plane) {
  const Count groups = fabric.by_rail ? fabric.nics : 1;
  const Count group = fabric.by_rail ? nic : 0;
  return (plane * groups + group) * divided_up(fabric.hosts, fabric.hosts_per_leaf) +
         host / fabric.hosts_per_leaf;
}

Count pod_of(const Fabric& fabric, Count host) {
  if (fabric.pod_blocks == 0) return 0;
  return host / fabric.hosts_per_leaf / fabric.pod_blocks;
}

namespace {

void host_links(const Fabric& fabric, const std::function<void(const Link&)>& take) {
  for (Count host = 0; host < fabric.hosts; ++host) {
    for (Count port = 0; port < fabric.nics * fabric.planes; ++port) {
      const Count leaf = leaf_of(fabric, host, port / fabric.planes, port % fabric.planes);
      take({{Tier::host, host}, {Tier::leaf, leaf}, port, 0, fabric.port_gbps});
    }
  }
}

/// The first of the spines of a leaf: sets are in the order plane, rail, pod.
Count first_spine(const Fabric& fabric, const Parts& parts, Count leaf) {
  const Count plane = leaf / parts.blocks / parts.groups;
  const Count rail = fabric.joined_rails ? 0 : leaf / parts.blocks % parts.groups;
  const Count pod = fabric.pod_blocks == 0 ? 0 : leaf % parts.blocks / fabric.pod_blocks;
  const Count rails = fabric.joined_rails ? 1 : parts.groups;
  return ((plane * rails + rail) * parts.pods + pod) * fabric.spines;
}

void leaf_links(const Fabric& fabric, const std::function<void(const Link&)>& take) {
  const Parts parts = parts_of(fabric);
  for (Count leaf = 0; leaf < parts.leaves; ++leaf) {
    const Count first = first_spine(fabric, parts, leaf);
    for (Count link = 0; link < parts.leaf_up_ports; ++link) {
      const Count spine = first + link / fabric.bundle;
      take({{Tier::leaf, leaf}, {Tier::spine, spine}, 0, link % fabric.bundle, fabric.up_gbps});
    }
  }
}

void core_links(const Fabric& fabric, const std::function<void(const Link&)>& take) {
  const Parts parts = parts_of(fabric);
  for (Count spine = 0; spine < parts.spines; ++spine) {
    const Count set = spine / fabric.spines / parts.pods;
    const Count first = (set * fabric.spines + spine % fabric.spines) * fabric.cores;
    for (Count link = 0; link < fabric.cores * fabric.core_bundle; ++link) {
      const Count core = first + link / fabric.core_bundle;
      take({{Tier::spine, spine},
            {Tier::core, core},
            0,
            link % fabric.core_bundle,
            fabric.core_gbps});
    }
  }
}

/// Each once: from the pod of the lower number.
void links_between_pods(const Fabric& fabric, const std::function<void(const Link&)>& take) {
  const Parts parts = parts_of(fabric);
  for (Count spine = 0; spine < parts.spines; ++spine) {
    const Count pod = spine / fabric.spines % parts.pods;
    for (Count other = pod + 1; other < parts.pods; ++other) {
      const Count upper = spine + (other - pod) * fabric.spines;
      for (Count copy = 0; copy < fabric.core_bundle; ++copy)
        take({{Tier::spine, spine}, {Tier::spine, upper}, 0, copy, fabric.core_gbps});
    }
  }
}

}  // namespace

void for_each_link(const Fabric& fabric, const std::function<void(const Link&)>& take) {
  host_links(fabric, take);
  leaf_links(fabric, take);
  core_links(fabric, take);
  if (joins_pods_directly(fabric)) links_between_pods(fabric, take);
}

std::string name_of(const Fabric& fabric, const Node& node) {
  static constexpr std::array kWords{"host", "leaf", "spine", "core"};
  std::string name = kWords.at(static_cast<std::size_t>(node.tier));
  if (node.tier != Tier::leaf) return name.append(std::to_string(node.number));
  const Count blocks = divided_up(fabric.hosts, fabric.hosts_per_leaf);
  if (fabric.by_rail || fabric.planes > 1) {
    name.append(std::to_string(node.number / blocks)).append("-");
  }
  return name.append(std::to_string(node.number % blocks));
}

std::string number(double value, int digits) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

std::string counted(Count count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

}  // namespace railgauge::fabric
