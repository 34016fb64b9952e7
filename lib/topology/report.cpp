#include "topology/report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <utility>

#include "topology/rail_check.hpp"

namespace railgauge::topology {
namespace {

using Sentences = std::vector<std::string>;

std::string remark_on_link(const RdmaDevice& device) {
  const PciFunction& pci = device.pci;
  if (!pci.degraded()) return "";
  return device.name + ": its PCI link is " + to_string(pci.link) +
         ", but device and slot support " + to_string(pci.most()) +
         ": reseat it, or check the slot's firmware settings";
}

std::string remark_on_speed(const RdmaDevice& device) {
  double ports = 0;
  for (const RdmaPort& port : device.ports) ports += port.gigabits_per_second;
  const double carried = device.pci.link.gigabits_per_second();
  if (!device.pci.link.known() || carried >= ports) return "";
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), ": its PCI link carries %.0f Gb/s, its %s %g", carried,
                device.ports.size() == 1 ? "port" : "ports", ports);
  return device.name + text.data();
}

Sentences remarks_on(const HostMap& map) {
  Sentences remarks;
  for (const RdmaDevice& device : map.devices) {
    const std::string& place = device.locality.remark;
    for (const std::string& one : {place.empty() ? "" : device.name + ": " + place,
                                   remark_on_link(device), remark_on_speed(device)}) {
      if (!one.empty()) remarks.push_back(one);
    }
  }
  return remarks;
}

}  // namespace

Report report_on(std::vector<HostMap> maps, const NicWishes& wishes) {
  Report report;
  std::vector<Host> hosts;
  for (HostMap& map : maps) {
    NicChoice choice = choose_nics(map, wishes);
    hosts.push_back({map.host, std::move(choice.nics)});
    Sentences remarks = remarks_on(map);
    report.hosts.push_back(
        {std::move(map), {}, std::move(choice.left_out), {}, std::move(remarks)});
  }
  FoundRails found = find_rails(std::move(hosts), wishes.rail_map);
  report.wrong = std::move(found.crossed);
  std::ranges::move(check_rails(found.hosts), std::back_inserter(report.wrong));
  std::ranges::move(slow_rails(found.hosts), std::back_inserter(report.wrong));
  for (std::size_t i = 0; i < found.hosts.size(); ++i) {
    report.hosts[i].rails = std::move(found.hosts[i].rails);
  }
  report.rule = found.rule;
  report.reason = std::move(found.reason);
  return report;
}

std::string gibibytes(std::uint64_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0f GiB",
                static_cast<double>(bytes) / static_cast<double>(1U << 30U));
  return text.data();
}

}  // namespace railgauge::topology
