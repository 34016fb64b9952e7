#include "fabric/storage.hpp"

#include <algorithm>

namespace railgauge::fabric {
namespace {

StorageLeaf leaf_of(const StorageSide& side, const StorageFabric& fabric) {
  StorageLeaf leaf;
  leaf.down = divided_up(side.servers * side.ports, side.leaves);
  leaf.up = side.uplinks * fabric.spines;
  leaf.ports_used =
      side.leaf.ports_of(leaf.down, side.port_gbps) + side.leaf.ports_of(leaf.up, side.uplink_gbps);
  leaf.oversubscription = real(leaf.down) * side.port_gbps / (real(leaf.up) * side.uplink_gbps);
  leaf.spine_ports =
      fabric.spine.ports_of(side.pods * side.leaves * side.uplinks, side.uplink_gbps);
  leaf.total_gbps = real(side.pods * side.servers * side.ports) * side.port_gbps;
  return leaf;
}

/// Readings of "2 uplinks" and of unsplit ports that cannot be meant.
void look_at_side(const char* name, const StorageSide& side, const StorageLeaf& leaf,
                  const StorageFabric& fabric, std::vector<std::string>& found) {
  const std::string place = std::string(name) + " leaves: ";
  const std::string uplinks =
      std::to_string(side.uplinks) + "x" + number(side.uplink_gbps) + "G uplinks";
  if (side.uplinks < fabric.spines) {
    const double all = real(leaf.down) * side.port_gbps / (real(side.uplinks) * side.uplink_gbps);
    found.push_back(place + uplinks + " cannot be all of a leaf: they reach " +
                    std::to_string(side.uplinks) + " of " + std::to_string(fabric.spines) +
                    " spines, at " + number(all) + ":1; they are counted per spine.");
  }
  const Count whole = leaf.down + leaf.up;
  if (whole > side.leaf.ports && side.leaf.gbps > std::min(side.port_gbps, side.uplink_gbps)) {
    found.push_back(place + std::to_string(leaf.down) + " server ports and " +
                    std::to_string(leaf.up) + " uplinks need more than " +
                    std::to_string(side.leaf.ports) + " ports unless server ports are split.");
  }
  if (leaf.ports_used > side.leaf.ports) {
    found.push_back(place + std::to_string(leaf.ports_used) + " ports are used of " +
                    std::to_string(side.leaf.ports) + ".");
  }
}

void look_at_spines(const StorageFabric& fabric, const StorageReport& report,
                    std::vector<std::string>& found) {
  const Count whole = fabric.compute.pods * fabric.compute.leaves * fabric.compute.uplinks +
                      fabric.storage.pods * fabric.storage.leaves * fabric.storage.uplinks;
  if (whole > fabric.spine.ports) {
    found.push_back("spines: " + std::to_string(whole) + " links need more than " +
                    std::to_string(fabric.spine.ports) +
                    " ports unless those of compute leaves are split.");
  }
  if (report.servers_to_storage > 1) {
    found.push_back("storage: every leaf is " + number(report.compute.oversubscription) +
                    ":1, but compute servers can ask for " + number(report.servers_to_storage) +
                    " times what storage servers can send.");
  }
}

std::string row(const char* name, const StorageSide& side, const StorageLeaf& leaf) {
  std::string text = name;
  text.append(": ")
      .append(counted(side.pods * side.leaves))
      .append(" leaves of ")
      .append(side.leaf.text())
      .append(", ")
      .append(counted(leaf.down) + "x" + number(side.port_gbps) + "G down, ")
      .append(counted(leaf.up) + "x" + number(side.uplink_gbps) + "G up, ")
      .append(number(leaf.oversubscription) + ":1, ")
      .append(counted(leaf.ports_used) + " ports used, ")
      .append(counted(side.leaf.ports - std::min(side.leaf.ports, leaf.ports_used)) + " free\n");
  return text;
}

}  // namespace

StorageReport report_on(const StorageFabric& fabric) {
  StorageReport report;
  report.compute = leaf_of(fabric.compute, fabric);
  report.storage = leaf_of(fabric.storage, fabric);
  report.spine_ports_used = report.compute.spine_ports + report.storage.spine_ports;
  report.servers_to_storage = report.compute.total_gbps / report.storage.total_gbps;
  look_at_side("compute", fabric.compute, report.compute, fabric, report.contradictions);
  look_at_side("storage", fabric.storage, report.storage, fabric, report.contradictions);
  look_at_spines(fabric, report, report.contradictions);
  return report;
}

std::string as_text(const StorageFabric& fabric) {
  const StorageReport report = report_on(fabric);
  std::string text = row("compute", fabric.compute, report.compute);
  text += row("storage", fabric.storage, report.storage);
  text.append("spines: " + counted(fabric.spines) + " of " + fabric.spine.text() + ", ")
      .append(counted(report.spine_ports_used) + " ports used, ")
      .append(counted(fabric.spine.ports - std::min(fabric.spine.ports, report.spine_ports_used)))
      .append(" free\ncompute to storage: " + number(report.servers_to_storage) + ":1\n");
  for (const std::string& one : report.contradictions) text.append("contradiction: " + one + "\n");
  return text;
}

}  // namespace railgauge::fabric
