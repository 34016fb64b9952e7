// PCI Express between the NIC and the processor: every link, and settings of its functions.

#include <algorithm>

#include "doctor/judging.hpp"
#include "finding/words.hpp"

namespace railgauge::doctor {
namespace {

using finding::Cause;
using topology::PciHop;
using topology::PciLink;

/// What the functions of a card, which share its links, need together.
double need_of(const Inputs& in) {
  double need = 0;
  const auto& device = *in.subject.device;
  for (const auto& other : in.subject.facts->map.devices) {
    if (topology::card_of(other.pci.address) != topology::card_of(device.pci.address)) continue;
    if (!other.pci.physical_function.empty()) continue;
    for (const auto& port : other.ports)
      need += port.state == "ACTIVE" ? port.gigabits_per_second : 0;
  }
  return need;
}

/// A device in a virtual machine, or a bridge that reports nothing, says "Unknown".
Answer hops_missing(const Inputs& in) {
  return {.verdict = Verdict::unknown,
          .remark = "no speed and width of its PCI links: " + in.values.front()};
}

template <class Less>
Answer no_hop_is_less(const Inputs& in, Less less, std::string (*text)(const PciLink&)) {
  const auto& pci = in.subject.device->pci;
  if (pci.hops.empty()) return hops_missing(in);
  for (const PciHop& hop : pci.hops) {
    if (!less(hop.now, hop.most)) continue;
    const bool enough = pci.narrowest()->now.gigabits_per_second() >= need_of(in);
    Answer answer =
        failed(text(hop.now), text(hop.most),
               "from " + hop.upper + " to " + hop.lower + ", whose ends both support more");
    if (enough) answer.verdict = Verdict::warn;
    return answer;
  }
  return passed(text(pci.hops.back().now));
}

Answer is_fast(const Inputs& in) {
  return no_hop_is_less(
      in,
      [](const PciLink& now, const PciLink& most) {
        return now.gigatransfers_per_second < most.gigatransfers_per_second;
      },
      [](const PciLink& link) { return finding::number(link.gigatransfers_per_second, "GT/s"); });
}

Answer is_wide(const Inputs& in) {
  return no_hop_is_less(
      in, [](const PciLink& now, const PciLink& most) { return now.lanes < most.lanes; },
      [](const PciLink& link) { return "x" + std::to_string(link.lanes); });
}

Answer carries_enough(const Inputs& in) {
  constexpr double kHalved = 2.0 / 3;  // x8 of x16 carries 252 of 400 Gb/s
  const PciHop* const hop = in.subject.device->pci.narrowest();
  if (hop == nullptr) return hops_missing(in);
  const double carried = hop->now.gigabits_per_second();
  const double need = need_of(in);
  const std::string text = finding::number(carried, "Gb/s");
  if (carried >= need) return passed(text);
  if (hop->degraded()) return not_applicable("a link is degraded: see pcie-speed and pcie-width");
  const std::string wanted = finding::number(need, "Gb/s");
  const std::string remark = to_string(hop->now) + " from " + hop->upper + " to " + hop->lower;
  return carried <= need * kHalved ? failed(text, wanted, remark) : warned(text, wanted, remark);
}

template <int least, Verdict otherwise>
Answer is_at_least(const Inputs& in) {
  const auto bytes = number_in(in.values.front());
  if (!bytes) return not_understood(in.values.front());
  if (*bytes >= least) return passed(in.values.front());
  return {otherwise, in.values.front(), "at least " + std::to_string(least), ""};
}

template <Verdict otherwise>
Answer is_zero(const Inputs& in) {
  const auto count = number_in(in.values.front());
  if (!count) return not_understood(in.values.front());
  return *count == 0 ? passed("0") : Answer{otherwise, in.values.front() + " since boot", "0", ""};
}

Answer is_rare(const Inputs& in) {
  constexpr double kMost = 100;
  const auto count = number_in(in.values[0]);
  const auto uptime = number_in(in.values[1]);
  if (!count || !uptime) return not_understood(in.values[0]);
  const double daily = *count / std::max(*uptime / kDay, 1.0);
  const std::string text = in.values[0] + " since boot";
  if (daily <= kMost) return passed(text);
  return warned(text, "at most 100 a day", finding::number(daily) + " a day");
}

Answer passes_through(const Inputs& in) {
  const std::string& type = in.values.front();
  if (type == "none" || type == "identity") return passed(type);
  return warned(type, "identity, or none", "every transfer is translated");
}

/// -1 with several nodes: it may be near any of them.
Answer has_node(const Inputs& in) {
  const auto node = number_in(in.values[0]);
  if (!node) return not_understood(in.values[0]);
  if (*node >= 0) return passed(in.values[0]);
  if (in.values[1] == "0") return passed("0, the only one");
  return {
      .verdict = Verdict::unknown,
      .remark = "the firmware does not report its node, and the host has nodes " + in.values[1]};
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): rows of data
Checks pcie_checks() {
  const std::string_view speed = "bus/pci/devices/{pci}/current_link_speed";
  const std::string_view reseat =
      "lspci -vvs {pci}; reseat the card, check riser and the slot's firmware settings";
  return {
      {.name = "pcie-speed",
       .title = "PCIe link speed",
       .reads = {speed},
       .expects = "of each link as much as both its ends support",
       .needs = bare_metal,
       .judge = is_fast,
       .remedy = reseat,
       .source = "sichek: min(parent, child) per hop; AMD CVS: 32 GT/s"},
      {.name = "pcie-width",
       .title = "PCIe link width",
       .reads = {"bus/pci/devices/{pci}/current_link_width"},
       .expects = "of each link as much as both its ends support",
       .needs = bare_metal,
       .judge = is_wide,
       .remedy = reseat,
       .source = "sichek: min(parent, child) per hop; OCI: width"},
      {.name = "pcie-capacity",
       .title = "bandwidth of its PCIe links",
       .reads = {speed},
       .expects = "what the active ports of the card need",
       .needs = bare_metal,
       .judge = carries_enough,
       .remedy = "move it to a wider or faster slot",
       .source = "Imbue: available PCIe bandwidth, limited by"},
      {.name = "max-payload",
       .title = "PCIe maximum payload",
       .reads = {"pci/{pci}/max-payload"},
       .expects = "at least 256 bytes; the same on all devices of one model",
       .needs = bare_metal | whole_card,
       .judge = is_at_least<256, Verdict::warn>,
       .alike = Alike::models,
       .remedy = "boot with pci=pcie_bus_perf, or set it in the firmware of the host",
       .source = "PCI Express Base 6.0, 7.5.3.4; OCI rdma-tuning"},
      {.name = "max-read-request",
       .title = "PCIe maximum read request",
       .reads = {"pci/{pci}/max-read-request"},
       .expects = "at least 512 bytes; the same on all devices of one model",
       .needs = bare_metal | whole_card,
       .judge = is_at_least<512, Verdict::warn>,
       .alike = Alike::models,
       .remedy = "setpci -s {pci} CAP_EXP+8.w=5000:7000 sets 4096",
       .source = "NVIDIA NIC configuration operator: 4096; OCI rdma-tuning"},
      {.name = "relaxed-ordering",
       .title = "PCIe relaxed ordering",
       .reads = {"pci/{pci}/relaxed-ordering"},
       .expects = "the same on all devices of one model",
       .needs = bare_metal | whole_card,
       .alike = Alike::models,
       .remedy = "setpci -s {pci} CAP_EXP+8.w=0010:0010 enables it",
       .source = "NCCL_IB_PCI_RELAXED_ORDERING; OCI rdma-tuning"},
      {.name = "acs",
       .title = "PCIe access control (ACS) above it",
       .reads = {"pci/{pci}/acs-above"},
       .expects = "the same on all devices of one model",
       .needs = bare_metal | whole_card,
       .alike = Alike::models,
       .remedy = "compare the firmware settings of the hosts: ACS, IOMMU",
       .source = "NCCL troubleshooting, PCI Access Control Services"},
      {.name = "iommu",
       .title = "IOMMU",
       .reads = {"pci/{pci}/iommu"},
       .expects = "identity, or none",
       .needs = bare_metal | whole_card,
       .judge = passes_through,
       .alike = Alike::hosts,
       .remedy = "boot with iommu=pt",
       .source = "kernel admin-guide: iommu=pt; NCCL troubleshooting, PCI access control services"},
      {.name = "pcie-fatal-errors",
       .title = "number of fatal PCIe errors",
       .reads = {"pci/{pci}/aer-fatal"},
       .expects = "0",
       .needs = bare_metal,
       .absent = "the kernel does not count them (AER)",
       .judge = is_zero<Verdict::fail>,
       .remedy = "dmesg | grep -i aer; reseat the card, replace the riser",
       .source = "kernel ABI sysfs-bus-pci-devices-aer_stats"},
      {.name = "pcie-nonfatal-errors",
       .title = "number of uncorrected PCIe errors",
       .reads = {"pci/{pci}/aer-nonfatal"},
       .expects = "0",
       .needs = bare_metal,
       .absent = "the kernel does not count them (AER)",
       .judge = is_zero<Verdict::warn>,
       .remedy = "dmesg | grep -i aer; reseat the card, replace the riser",
       .source = "Meta GCM check_pci"},
      {.name = "pcie-corrected-errors",
       .title = "number of corrected PCIe errors",
       .reads = {"pci/{pci}/aer-correctable", "proc/uptime"},
       .expects = "at most 100 a day",
       .needs = bare_metal,
       .absent = "the kernel does not count them (AER)",
       .judge = is_rare,
       .remedy = "reseat the card, replace the riser",
       .source = "kernel ABI sysfs-bus-pci-devices-aer_stats; own value"},
      {.name = "pcie-power",
       .title = "power state",
       .reads = {"bus/pci/devices/{pci}/power_state"},
       .expects = "D0",
       .absent = "the kernel is too old to report it",
       .judge = [](const Inputs& in) { return is_word(in, "D0"); },
       .remedy = "echo on > /sys/bus/pci/devices/{pci}/power/control",
       .source = "kernel ABI sysfs-bus-pci"},
      {.name = "numa-node",
       .title = "NUMA node of the NIC",
       .reads = {"bus/pci/devices/{pci}/numa_node", "devices/system/node/online"},
       .expects = "known, if the host has several nodes",
       .judge = has_node,
       .cause = Cause::numa_node,
       .remedy = "check the NUMA settings of the host's firmware",
       .source = "Hostping, NSDI 2023; kernel ABI sysfs-bus-pci: numa_node"},
      {.name = "numa-layout",
       .title = "NUMA nodes of the rails' NICs",
       .of = Kind::fabric,
       .expects = "as on most hosts",
       .adopts = {Cause::numa_node},
       .source = "Azure NHC: lstopo against the expected topology"},
      {.name = "virtual-functions",
       .title = "number of virtual functions",
       .reads = {"bus/pci/devices/{pci}/sriov_numvfs"},
       .expects = "the same on all devices of one model",
       .needs = whole_card,
       .absent = "it has no SR-IOV",
       .alike = Alike::models,
       .remedy = "echo NUMBER > /sys/bus/pci/devices/{pci}/sriov_numvfs",
       .source = "kernel ABI sysfs-bus-pci: sriov_numvfs"},
  };
}

}  // namespace railgauge::doctor
