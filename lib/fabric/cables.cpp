#include "fabric/cables.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::fabric {
namespace {

constexpr double kMostDacMetres = 3;  // passive copper, IEEE 802.3ck
constexpr double kMostAocMetres = 30;

const char* kind_of(double metres) {
  if (metres <= kMostDacMetres) return "DAC";
  return metres <= kMostAocMetres ? "AOC" : "optics";
}

void add(std::vector<Cables>& all, const char* between, double gbps, double metres, Count count) {
  const std::string kind = kind_of(metres);
  const auto same = std::ranges::find_if(
      all, [&](const Cables& one) { return one.between == between && one.kind == kind; });
  Cables& cables = same != all.end() ? *same : all.emplace_back();
  cables.between = between;
  cables.kind = kind;
  cables.gbps = gbps;
  cables.count += count;
  cables.most_metres = std::max(cables.most_metres, metres);
}

/// From the middle of a row of that many places to one of them, in places.
double from_middle(Count place, Count places) {
  return std::abs(static_cast<double>(place) - static_cast<double>(places - 1) / 2);
}

void add_host_cables(std::vector<Cables>& all, const Fabric& fabric, const Layout& layout) {
  const Count racks = divided_up(fabric.hosts_per_leaf, layout.hosts_per_rack);
  for (Count host = 0; host < fabric.hosts; ++host) {
    const Count rack = host % fabric.hosts_per_leaf / layout.hosts_per_rack;
    const double metres = layout.within_metres + layout.rack_metres * from_middle(rack, racks);
    add(all, "host-leaf", fabric.port_gbps, metres, fabric.nics * fabric.planes);
  }
}

}  // namespace

std::vector<Cables> cables_of(const Fabric& fabric, const Layout& layout) {
  std::vector<Cables> all;
  add_host_cables(all, fabric, layout);
  const Parts parts = parts_of(fabric);
  const double within = 2 * layout.within_metres;
  for (Count block = 0; block < parts.blocks && fabric.spines > 0; ++block) {
    const double metres = within + layout.row_metres * from_middle(block, parts.blocks);
    add(all, "leaf-spine", fabric.up_gbps, metres, parts.leaf_links / parts.blocks);
  }
  const double rows = layout.row_metres * static_cast<double>(fabric.pod_blocks);
  for (Count apart = 1; apart < parts.pods && joins_pods_directly(fabric); ++apart) {
    const Count pairs = parts.pods - apart;
    add(all, "spine-spine", fabric.core_gbps, within + rows * real(apart),
        pairs * (parts.spines / parts.pods) * fabric.core_bundle);
  }
  for (Count pod = 0; pod < parts.pods && fabric.cores > 0; ++pod) {
    add(all, "spine-core", fabric.core_gbps, within + rows * from_middle(pod, parts.pods),
        parts.core_links / parts.pods);
  }
  return all;
}

}  // namespace railgauge::fabric
