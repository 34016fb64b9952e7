#include "topology/report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>

#include "topology/rail_check.hpp"

namespace railgauge::topology {
namespace {

using Sentences = std::vector<std::string>;

/// Of devices that are rails, rail_check says it.
std::string remark_on_link(const RdmaDevice& device, const Host& host) {
  const std::string degraded = degraded_clause(device.pci);
  const bool rail = std::ranges::find(host.rails, device.name, &Nic::device) != host.rails.end();
  return degraded.empty() || rail ? "" : device.name + ": " + degraded;
}

Sentences remarks_on(const HostMap& map, const Host& host) {
  Sentences remarks;
  if (map.xml_alone) {
    remarks.push_back(
        "this is hwloc's XML alone: of ports, their state, speed and addresses, and of what PCI "
        "links could carry it says nothing, so there are no rails; `railgauge topo --record` on "
        "the host writes all of it");
  }
  for (const RdmaDevice& device : map.devices) {
    const std::string& place = device.locality.remark;
    for (const std::string& one :
         {place.empty() ? "" : device.name + ": " + place, remark_on_link(device, host)}) {
      if (!one.empty()) remarks.push_back(one);
    }
  }
  return remarks;
}

/// "node3 mlx5_3 (rail 1): …", "rail 1: node3 mlx5_3 10.99.0.2/24 …", "node3: rails 0 and 1 …".
Sentences wrong_with(const std::string& host, const Sentences& wrong) {
  Sentences own;
  for (const std::string& one : wrong) {
    const bool of_rail = one.starts_with("rail ") && one.find(": ") != std::string::npos;
    const std::size_t at = of_rail ? one.find(": ") + 2 : 0;
    const std::string_view said = std::string_view(one).substr(at);
    if (said.starts_with(host + " ")) own.emplace_back(said.substr(host.size() + 1));
    if (said.starts_with(host + ": ")) own.emplace_back(said.substr(host.size() + 2));
  }
  return own;
}

}  // namespace

Report report_on(std::vector<HostMap> maps, const NicWishes& wishes) {
  std::vector<Host> hosts;
  hosts.reserve(maps.size());
  for (const HostMap& map : maps) hosts.push_back(choose_nics(map, wishes));
  Fabrics fabrics = separate_fabrics(std::move(hosts), wishes);
  FoundRails found = find_rails(std::move(fabrics.hosts), wishes.said());
  Findings findings = check_rails(found);
  Report report{found.rule,
                std::move(found.reason),
                {},
                std::move(fabrics.others),
                std::move(findings.mismatches),
                std::move(findings.warnings),
                std::move(findings.notes)};
  std::ranges::move(findings.impairments, std::back_inserter(report.wrong));
  for (std::size_t i = 0; i < maps.size(); ++i) {
    Host& host = found.hosts[i];
    Sentences remarks = remarks_on(maps[i], host);
    report.hosts.push_back({std::move(maps[i]),
                            std::move(host.rails),
                            std::move(host.left_out),
                            {},
                            std::move(remarks),
                            wrong_with(host.name, report.wrong)});
  }
  return report;
}

std::set<int> rails_of(const HostReport& host, const Placement& rank) {
  std::set<int> numbers;
  for (const int place : rank.rails) {
    const auto at = static_cast<std::size_t>(place);
    const int rail = at < host.rails.size() ? host.rails[at].rail : -1;
    numbers.insert(rail < 0 ? place : rail);
  }
  return numbers;
}

std::string gibibytes(std::uint64_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0f GiB",
                static_cast<double>(bytes) / static_cast<double>(1U << 30U));
  return text.data();
}

}  // namespace railgauge::topology
