#include "fabric/design.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace railgauge::fabric {
namespace {

constexpr const char* kArithmetic = "arithmetic on the inputs";

struct Workload {
  const char* name;
  double oversubscription;  // at most
  const char* why;
  const char* source;
};

constexpr std::array kWorkloads{
    Workload{"training", 1, "all ranks wait for the slowest flow, and placement is not in order",
             "Gangidi et al., SIGCOMM 2024: 1:1.125 undersubscribed after collisions at 1:1"},
    Workload{"moe", 1, "all-to-all crosses leaves with nearly all of its bytes",
             "crossing fraction (N-D)/(N-1)"},
    Workload{"fine-tuning", 2, "jobs that fit under one leaf of each rail do not cross spines",
             "crossing fraction (N-D)/(N-1)"},
    Workload{"inference", 4, "requests do not wait for each other, and stay within a few hosts",
             "crossing fraction (N-D)/(N-1)"}};

const Workload& workload_of(const Plan& plan) {
  const auto* const found = std::ranges::find(kWorkloads, plan.workload, &Workload::name);
  return found == kWorkloads.end() ? kWorkloads.front() : *found;
}

std::string ratio(double of) {
  return number(of) + ":1";
}

Count gpus_of(const Plan& plan, const Fabric& fabric) {
  return fabric.hosts * plan.gpus_per_host;
}

Step workload_step(const Plan& plan, const Fabric& fabric) {
  const Workload& workload = workload_of(plan);
  const Count now = gpus_of(plan, fabric);
  return {"workload and size",
          plan.workload + ", " + counted(now) + " GPUs now, " +
              counted(std::max(now, plan.gpus_later)) + " in 18 months",
          counted(fabric.hosts) + " hosts; oversubscription of at most " +
              ratio(workload.oversubscription),
          workload.why, workload.source};
}

Step host_step(const Plan& plan, const Fabric& fabric, std::vector<std::string>& remarks) {
  const double slot = pcie_gbps(plan.pcie_generation, plan.pcie_lanes);
  const std::string pcie =
      "PCIe Gen" + std::to_string(plan.pcie_generation) + " x" + std::to_string(plan.pcie_lanes);
  const bool carries = slot >= nic_gbps(fabric);
  if (!carries) {
    remarks.push_back(pcie + " carries " + number(slot, 3) + " Gb/s, less than a NIC's " +
                      number(nic_gbps(fabric)) + " Gb/s: the slot is the limit.");
  }
  return {"hosts, NICs and PCIe",
          counted(plan.gpus_per_host) + " GPUs and " + counted(fabric.nics) + "x" +
              number(nic_gbps(fabric)) + "G per host, " + pcie,
          pcie + (carries ? " carries " : " does not carry ") + number(nic_gbps(fabric)) +
              "G: " + number(slot, 3) + " Gb/s each direction",
          "transfer rate x lanes x encoding x 256/(256+26) bytes of a TLP",
          "PCI Express Base Specification 6.0"};
}

Step leaf_step(const Plan& plan, const Fabric& fabric) {
  const Parts parts = parts_of(fabric);
  const SwitchModel& model = plan.request.leaf;
  const Count used = model.ports_of(parts.leaf_down_ports, fabric.port_gbps) +
                     model.ports_of(parts.leaf_up_ports, fabric.up_gbps);
  return {"leaves and rails",
          "leaf " + model.text() + ", " + fabric.generator + ", " + counted(parts.groups) +
              (parts.groups == 1 ? " leaf per block" : " rails"),
          counted(parts.leaves) + " leaves in " + counted(parts.blocks) + " pods of " +
              counted(parts.leaves / parts.blocks) + "; " + counted(parts.leaf_down_ports) +
              " ports down, " + counted(parts.leaf_up_ports) + " up; " + counted(used) +
              " ports used, " + counted(model.ports - std::min(used, model.ports)) + " free",
          "most hosts whose ports and uplinks fit a leaf; then evenly over the leaves",
          kArithmetic};
}

std::string terabits(Count links, double gbps) {
  return number(static_cast<double>(links) * gbps / 1000) + "T";
}

std::string core_part(const Fabric& fabric, const Parts& parts) {
  if (joins_pods_directly(fabric)) {
    return "; " + counted(parts.pods) + " groups, " + counted(fabric.core_bundle) + " link(s) of " +
           number(fabric.core_gbps) + "G from each spine to each other group, " +
           ratio(core_oversubscription(fabric));
  }
  if (parts.cores == 0) return "";
  return "; " + counted(parts.cores) + " cores of " + counted(parts.core_ports) + " links, " +
         counted(fabric.core_bundle) + " per spine, " + ratio(core_oversubscription(fabric));
}

Step spine_step(const Plan& plan, const Fabric& fabric) {
  const Parts parts = parts_of(fabric);
  const std::string asked = "spine " + plan.request.spine.text() + ", uplinks of " +
                            number(fabric.up_gbps) + "G, " + ratio(plan.request.oversubscription) +
                            " asked for";
  const std::string rule = "spines: fewest that divide the uplinks and have ports for all leaves";
  if (fabric.spines == 0)
    return {"spines and uplinks", asked, "no spine: one leaf per rail", rule, kArithmetic};
  std::string result = counted(parts.spines) + " spines, " + counted(fabric.bundle) +
                       " uplink(s) per leaf and spine, " + counted(parts.spine_down_ports) +
                       " ports used per spine; a leaf has " +
                       terabits(parts.leaf_down_ports, fabric.port_gbps) + " down and " +
                       terabits(parts.leaf_up_ports, fabric.up_gbps) + " up, " +
                       ratio(oversubscription(fabric));
  if (!fabric.joined_rails) result += "; " + counted(fabric.spines) + " spines per rail";
  result += core_part(fabric, parts) + "; bisection " + number(bisection_gbps(fabric) / 1000) +
            "T; at most " + std::to_string(most_switches(fabric)) + " switches per path";
  return {"spines and uplinks", asked, result, rule,
          "Al-Fares et al., SIGCOMM 2008; " + std::string(kArithmetic)};
}

Step separation_step(const Plan& plan, const Fabric& fabric) {
  const Count ports = divided_up(fabric.hosts, plan.request.leaf.ports / 2);
  std::string result = "classes of the same links: storage and management need a queue each";
  if (plan.separation == "vrf")
    result = "a VRF each on the same leaves: routes apart, links shared";
  if (plan.separation == "separate") {
    result = "fabrics of their own: storage at least " + counted(ports) +
             " leaves of half their ports down, management 1 port per host";
  }
  return {"storage and management", plan.separation, result,
          "bursts of storage pause lossless queues that they share with collectives",
          "IEEE 802.1Qbb"};
}

std::string text_of(const Cables& cables) {
  return counted(cables.count) + " " + cables.between + " " + cables.kind + " of " +
         number(cables.gbps) + "G up to " + number(cables.most_metres, 3) + " m";
}

Step cable_step(const Plan& plan, const Fabric& fabric, const std::vector<Cables>& cables) {
  const Parts parts = parts_of(fabric);
  std::string result = counted(parts.leaves * fabric.spines) + " trunks";
  for (const Cables& one : cables) result.append("; ").append(text_of(one));
  return {"racks and cables",
          counted(plan.layout.hosts_per_rack) + " hosts per rack, racks " +
              number(plan.layout.rack_metres) + " m and rows " + number(plan.layout.row_metres) +
              " m apart",
          result, "DAC up to 3 m, AOC up to 30 m, optics above; leaves in the middle of their row",
          "IEEE 802.3ck; distances by the layout"};
}

/// What has to be pulled when the fabric becomes `larger`: uplinks that end elsewhere then.
std::string growth_to(const Plan& plan, const Fabric& fabric, Count times) {
  Request request = plan.request;
  request.hosts = fabric.hosts * times;
  const std::string head = std::to_string(times) + "x: ";
  try {
    const Fabric larger = sized(request).fabric;
    const Parts old = parts_of(fabric);
    const bool same =
        larger.joined_rails == fabric.joined_rails && larger.pod_blocks == fabric.pod_blocks;
    const Count kept = same ? old.leaves * std::min(fabric.spines, larger.spines) *
                                  std::min(fabric.bundle, larger.bundle)
                            : 0;
    const Parts parts = parts_of(larger);
    return head + counted(parts.leaves) + " leaves, " + counted(parts.spines) + " spines, pull " +
           counted(old.leaf_links - std::min(old.leaf_links, kept)) + " of " +
           counted(old.leaf_links) + " uplinks";
  } catch (const std::invalid_argument& error) {
    return head + error.what();
  }
}

/// All-reduce of 1 GiB over the rails, ranks in any order: bytes over what crosses.
double all_reduce_ms(const Plan& plan, const Fabric& fabric, double oversubscribed) {
  constexpr double kBytes = 1U << 30U;
  constexpr double kLatencyUs = 5;
  const auto hosts = static_cast<double>(fabric.hosts);
  const double slower = std::max(1.0, oversubscribed * crossing_fraction(fabric));
  const double rails = static_cast<double>(std::min(fabric.nics, plan.gpus_per_host));
  const double bytes_per_us = nic_gbps(fabric) * payload_fraction() * 1000 / 8;
  const double rounds = 2.0 * static_cast<double>(std::bit_width(fabric.hosts - 1));
  return (rounds * kLatencyUs + 2 * (hosts - 1) / hosts * kBytes / rails / bytes_per_us * slower) /
         1000;
}

std::string costs_of(const Plan& plan, const Fabric& fabric) {
  std::string text = "all-reduce of 1 GiB over the rails, scattered ranks, spray:";
  for (const double at : {oversubscription(fabric), 1.5, 2.0, 4.0}) {
    text += " " + number(all_reduce_ms(plan, fabric, at), 3) + " ms at " + ratio(at) + ",";
  }
  text.back() = ';';
  return text + " a ring in the order of leaves costs the same at all of these";
}

Step growth_step(const Plan& plan, const Fabric& fabric) {
  const std::string growth = plan.request.generator == "fat-tree"
                                 ? "a fat-tree grows by a larger K"
                                 : growth_to(plan, fabric, 4) + "; " + growth_to(plan, fabric, 8);
  return {"growth and cost of oversubscription", "4 and 8 times the hosts; 1 GiB, 5 us assumed",
          growth + ". " + costs_of(plan, fabric),
          "slower by max(1, oversubscription x (N-D)/(N-1)); closed form, tier T0",
          "Thakur, Rabenseifner and Gropp, IJHPCA 2005; latency is an assumption"};
}

void remark_on_workload(const Plan& plan, const Fabric& fabric, std::vector<std::string>& remarks) {
  const Workload& workload = workload_of(plan);
  if (oversubscription(fabric) <= workload.oversubscription + 5e-4) return;
  remarks.push_back(ratio(oversubscription(fabric)) + " exceeds the " +
                    ratio(workload.oversubscription) + " that is recommended for " + plan.workload +
                    ".");
}

void remark_on_later(const Plan& plan, const Fabric& fabric, std::vector<std::string>& remarks) {
  if (plan.gpus_later <= gpus_of(plan, fabric)) return;
  Plan later = plan;
  later.request.hosts = divided_up(plan.gpus_later, plan.gpus_per_host);
  try {
    static_cast<void>(sized(later.request));
  } catch (const std::invalid_argument& error) {
    remarks.push_back("In 18 months, " + counted(plan.gpus_later) + " GPUs: " + error.what());
  }
}

}  // namespace

const std::vector<std::string>& workloads() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    names.reserve(kWorkloads.size());
    for (const Workload& one : kWorkloads) names.emplace_back(one.name);
    return names;
  }();
  return kNames;
}

const std::vector<std::string>& separations() {
  static const std::vector<std::string> kNames{"separate", "vrf", "shared"};
  return kNames;
}

double pcie_gbps(int generation, int lanes) {
  constexpr double kTlp = 256.0 / (256 + 26);
  const double transfers = 8.0 * (1U << static_cast<unsigned>(generation - 3));  // GT/s of a lane
  const double encoding = generation < 6 ? 128.0 / 130 : 236.0 / 256;
  return transfers * lanes * encoding * kTlp;
}

Design designed(const Plan& plan) {
  Sizing sizing = sized(plan.request);
  Design design{.plan = plan, .fabric = sizing.fabric, .remarks = std::move(sizing.remarks)};
  const Fabric& fabric = design.fabric;
  design.cables = cables_of(fabric, plan.layout);
  design.steps = {workload_step(plan, fabric),   host_step(plan, fabric, design.remarks),
                  leaf_step(plan, fabric),       spine_step(plan, fabric),
                  separation_step(plan, fabric), cable_step(plan, fabric, design.cables),
                  growth_step(plan, fabric)};
  remark_on_workload(plan, fabric, design.remarks);
  remark_on_later(plan, fabric, design.remarks);
  return design;
}

}  // namespace railgauge::fabric
