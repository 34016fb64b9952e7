#include "metrics/registry.hpp"

#include <algorithm>

namespace railgauge::metrics {
namespace {

std::size_t size_of(const Metric& metric) {
  return metric.kind == Kind::histogram ? TimeHistogram::kSeries : 1;
}

}  // namespace

Registry::Held& Registry::find(const Metric& metric, const Labels& labels) {
  HeldFamily& family = families_.try_emplace(metric.name, HeldFamily{metric}).first->second;
  if (metric.passing && !family.series.contains(labels)) make_room(size_of(metric));
  Held& held = family.series[labels];
  held.touched = ++touches_;
  return held;
}

/// Takes the room at once, too.
void Registry::make_room(std::size_t needed) {
  passing_ += needed;
  while (passing_ > most_passing_ && passing_ > needed) forget_oldest();
}

void Registry::forget_oldest() {
  HeldFamily* of = nullptr;
  std::map<Labels, Held>::iterator oldest;
  for (auto& [name, family] : families_) {
    if (!family.metric.passing || family.series.empty()) continue;
    const auto first = std::ranges::min_element(
        family.series, {}, [](const auto& entry) { return entry.second.touched; });
    if (of == nullptr || first->second.touched < oldest->second.touched) {
      of = &family;
      oldest = first;
    }
  }
  if (of == nullptr) return;
  of->series.erase(oldest);
  passing_ -= size_of(of->metric);
  forgotten_ += size_of(of->metric);
}

void Registry::set(const Metric& metric, const Labels& labels, double value) {
  find(metric, labels).value = value;
}

void Registry::add(const Metric& metric, const Labels& labels, double by) {
  find(metric, labels).value += std::max(by, 0.0);
}

void Registry::raise(const Metric& metric, const Labels& labels, double to) {
  double& value = find(metric, labels).value;
  value = std::max(value, to);
}

void Registry::remove(const Metric& metric, const Labels& labels) {
  const auto family = families_.find(metric.name);
  if (family == families_.end()) return;
  family->second.series.erase(labels);
  if (family->second.series.empty()) families_.erase(family);
}

TimeHistogram& Registry::times(const Metric& metric, const Labels& labels) {
  return find(metric, labels).times;
}

Snapshot Registry::snapshot() const {
  Snapshot all;
  all.reserve(families_.size());
  for (const auto& [name, held] : families_) {
    Family& family = all.emplace_back(Family{.metric = held.metric});
    family.series.reserve(held.series.size());
    for (const auto& [labels, one] : held.series) {
      family.series.push_back({.labels = labels, .value = one.value, .times = one.times});
    }
  }
  return all;
}

}  // namespace railgauge::metrics
