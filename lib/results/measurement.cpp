#include "results/measurement.hpp"

#include <algorithm>
#include <functional>

namespace railgauge::results {
namespace {

std::optional<double> imbalance_percent(std::span<const RailResult> rails,
                                        const std::function<double(const RailResult&)>& value) {
  constexpr double kPercent = 100;
  std::vector<double> values;
  for (const RailResult& rail : rails) {
    if (rail.bytes > 0 && rail.p50_us > 0) values.push_back(value(rail));
  }
  if (values.size() < 2) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(values);
  return kPercent * (most - least) / least;
}

}  // namespace

std::string_view word(BufferMode mode) {
  return json::word_of(mode, {"unstated", "out_of_place", "in_place"});
}

RailImbalance imbalance_of(std::span<const RailResult> rails) {
  return {
      imbalance_percent(rails, [](const auto& rail) { return static_cast<double>(rail.bytes); }),
      imbalance_percent(rails, [](const auto& rail) { return rail.p50_us; })};
}

const RailResult& slowest(std::span<const RailResult> rails) {
  return *std::ranges::max_element(rails, {}, &RailResult::p50_us);
}

void share_bandwidth(std::span<RailResult> rails, double gigabytes_per_second, double time_us) {
  std::uint64_t all = 0;
  for (const RailResult& rail : rails) all += rail.bytes;
  for (RailResult& rail : rails) {
    if (rail.bytes == 0 || rail.p50_us <= 0) continue;
    const double part = static_cast<double>(rail.bytes) / static_cast<double>(all);
    rail.busbw_gigabytes_per_second = gigabytes_per_second * part * time_us / rail.p50_us;
  }
}

}  // namespace railgauge::results

namespace railgauge::measure {

std::string_view word(StoppedBy stopped_by) {
  return json::word_of(stopped_by, {"iterations", "duration", "interval"});
}

}  // namespace railgauge::measure
