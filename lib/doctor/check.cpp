#include "doctor/check.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace railgauge::doctor {
namespace {

Answer skipped(std::string why) {
  return {.verdict = Verdict::skip, .remark = std::move(why)};
}

bool is_of(const Subject& subject, std::string_view driver) {
  return subject.device != nullptr && subject.device->pci.driver.starts_with(driver);
}

/// EFA and usNIC have a network of their own, which is not RoCE.
bool speaks_roce(const Subject& subject) {
  const auto is_other = [](const topology::RdmaPort& port) {
    return port.link_layer != "Ethernet" && !port.link_layer.empty();
  };
  if (subject.port != nullptr) return !is_other(*subject.port);
  return std::ranges::none_of(subject.device->ports, is_other);
}

/// Why a check does not apply to a subject; empty: it does.
std::string why_not(const Check& check, const Subject& subject) {
  const auto needs = [&](Needs need) { return (check.needs & need) != 0; };
  const auto* const device = subject.device;
  if (needs(bare_metal) && subject.is_virtual_machine())
    return "the hypervisor of this virtual machine decides it, and hides it";
  if (device == nullptr) return "";
  if (!subject.unused.empty()) return subject.unused;
  if (needs(hardware) && device->software) return "it is a software device";
  if (needs(pci) && device->pci.address.empty()) return "it is not on a PCI bus";
  if (needs(roce) && !speaks_roce(subject))
    return "its link layer is " + device->ports.front().link_layer;
  if (needs(whole_card) && !device->pci.physical_function.empty())
    return "it is a virtual function, of which the physical one decides";
  if (needs(mlx5) && !is_of(subject, "mlx5")) return "only the driver mlx5 shows it";
  return "";
}

/// What a fact that is not known means. A file that is not there may be no gap.
Answer without(const Check& check, const Fact& fact) {
  if (fact.gap == Gap::absent && !check.absent.empty()) return skipped(std::string(check.absent));
  std::string why = fact.why;
  if (fact.gap == Gap::refused) why += "; record the host as root, and use --from";
  return {.verdict = Verdict::unknown, .remark = std::move(why)};
}

}  // namespace

std::string_view word(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "PASS";
    case Verdict::skip: return "SKIP";
    case Verdict::unknown: return "UNKNOWN";
    case Verdict::warn: return "WARN";
    case Verdict::fail: return "FAIL";
  }
  return "";
}

std::string_view word(Level level) {
  switch (level) {
    case Level::reading: return "static";
    case Level::interval: return "interval";
    case Level::pair: return "pair";
    case Level::fabric: return "fabric";
  }
  return "";
}

namespace {

/// What rows of a group have, unless they say something else.
struct CheckGroup {
  std::string_view name{};
  Checks (*rows)() = nullptr;
  Level level = Level::reading;
  Kind of = Kind::host;
  finding::Cause cause = finding::Cause::host_setting;
  std::uint8_t needs = anything;  ///< in addition to theirs
};

Checks checks_of(const CheckGroup& group) {
  Checks checks = group.rows();
  for (Check& one : checks) {
    if (one.group.empty()) one.group = group.name;
    if (one.of == Kind::host) one.of = group.of;
    if (one.cause == finding::Cause::host_setting) one.cause = group.cause;
    one.needs = static_cast<std::uint8_t>(one.needs | group.needs);
    one.level = group.level;
  }
  return checks;
}

}  // namespace

const Checks& all_checks() {
  using finding::Cause;
  static const Checks kAll = [] {
    Checks checks;
    for (const CheckGroup& group :
         {CheckGroup{"identity", identity_checks},
          CheckGroup{"link", link_checks, Level::reading, Kind::port},
          CheckGroup{"pcie", pcie_checks, Level::reading, Kind::device, Cause::pcie_link,
                     hardware | pci},
          CheckGroup{"cpu", cpu_checks}, CheckGroup{"addressing", addressing_checks},
          CheckGroup{"roce", roce_checks, Level::reading, Kind::port, Cause::roce_setting,
                     hardware | roce | whole_card | bare_metal},
          CheckGroup{"container", container_checks}, CheckGroup{"time", time_checks},
          CheckGroup{"counters", counter_checks, Level::interval, Kind::port},
          CheckGroup{"pairs", pair_checks, Level::pair},
          CheckGroup{"fabric", fabric_checks, Level::fabric, Kind::fabric}})
      std::ranges::move(checks_of(group), std::back_inserter(checks));
    return checks;
  }();
  return kAll;
}

const Check* find_check(std::string_view name) {
  const auto found = std::ranges::find(all_checks(), name, &Check::name);
  return found == all_checks().end() ? nullptr : &*found;
}

std::vector<const Check*> named(std::string_view name_or_group) {
  std::vector<const Check*> found;
  for (const Check& check : all_checks()) {
    if (check.name == name_or_group || check.group == name_or_group) found.push_back(&check);
  }
  return found;
}

Answer answer_of(const Check& check, const Subject& subject, const Expectations& wanted,
                 const Hosts& hosts) {
  if (std::string why = why_not(check, subject); !why.empty()) return skipped(std::move(why));
  std::vector<std::string> values;
  values.reserve(check.reads.size());
  for (const std::string_view pattern : check.reads) {
    const std::string path = expanded(pattern, subject);
    if (path.empty())
      return {.verdict = Verdict::unknown,
              .remark = "its network device is not known; it may be in another network namespace"};
    Fact fact = subject.facts->at(path);
    if (!fact.known()) return without(check, fact);
    values.push_back(std::move(fact.text));
  }
  if (check.judge == nullptr) return {.observed = values.empty() ? "" : values.front()};
  return check.judge({values, subject, wanted, hosts});
}

}  // namespace railgauge::doctor
