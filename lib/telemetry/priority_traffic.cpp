#include "telemetry/priority_traffic.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "telemetry/ethtool.hpp"

namespace railgauge::telemetry {
namespace {

constexpr std::size_t kPriorities = 8;

/// @ is the direction, # the priority.
struct Driver {
  std::string_view name;
  std::uint64_t unit_bytes = 1;
  std::chrono::milliseconds age{0};
};

// bnxt_en asks its device once a second (bnxt_timer()). The unit of frames is RoCE's largest path
// MTU. mlx4 counts packets without a VLAN tag apart, and is no use here.
constexpr std::array kDrivers{Driver{"@_prio#_bytes"},
                              Driver{"@_bytes_pri#", 1, std::chrono::milliseconds(1100)},
                              Driver{"frames_@_pri_#", 4096}};

std::string name_of(const Driver& driver, const std::string& direction, std::size_t priority) {
  std::string name(driver.name);
  name.replace(name.find('@'), 1, direction);
  return name.replace(name.find('#'), 1, std::to_string(priority));
}

/// Empty unless it counts all of them.
std::vector<std::uint64_t> values_of(const Driver& driver, const Counters& counters,
                                     const std::string& direction) {
  std::vector<std::uint64_t> values;
  for (std::size_t priority = 0; priority < kPriorities; ++priority) {
    const auto found = counters.find(name_of(driver, direction, priority));
    if (found == counters.end()) return {};
    values.push_back(found->second);
  }
  return values;
}

}  // namespace

PriorityTraffic priority_traffic_in(const Counters& counters, const std::string& direction) {
  for (const Driver& driver : kDrivers) {
    auto values = values_of(driver, counters, direction);
    if (!values.empty()) return {std::move(values), driver.unit_bytes, driver.age};
  }
  return {};
}

Counters read_priority_counters(const std::string& device, int port, const std::string& netdev) {
  const auto is_wanted = [](std::string_view name) {
    return name.find("_pri") != std::string_view::npos;
  };
  Counters counters = CounterFiles(device, port, is_wanted).read();
  counters.merge(read_ethtool_statistics(netdev, is_wanted));
  return counters;
}

std::optional<int> priority_of(const PriorityTraffic& before, const PriorityTraffic& after,
                               std::uint64_t bytes) {
  constexpr double kNearlyAll = 0.9;
  constexpr double kMostTimes = 5;  // as much as the test: then most of the test is in that one
  const auto& [then, now] = std::tie(before.by_priority, after.by_priority);
  if (then.empty() || then.size() != now.size()) return std::nullopt;
  if (!std::ranges::equal(then, now, std::ranges::less_equal())) return std::nullopt;  // a reset
  std::vector<double> moved(now.size());
  std::ranges::transform(now, then, moved.begin(),
                         [](auto one, auto other) { return static_cast<double>(one - other); });
  const double all = std::accumulate(moved.begin(), moved.end(), 0.0);
  const auto most = std::ranges::max_element(moved);
  const double sent = static_cast<double>(bytes) / static_cast<double>(after.unit_bytes);
  const bool sure = bytes > 0 && *most >= kNearlyAll * all && *most >= kNearlyAll * sent &&
                    all <= kMostTimes * sent;
  return sure ? std::optional(static_cast<int>(most - moved.begin())) : std::nullopt;
}

}  // namespace railgauge::telemetry
