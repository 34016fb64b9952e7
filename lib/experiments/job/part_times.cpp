#include "experiments/job/part_times.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "finding/words.hpp"
#include "measure/statistics.hpp"

namespace railgauge::runner {
namespace {

double median_us(const measure::Histogram& times) {
  constexpr unsigned kHalf = 500;
  return times.quantile_us(kHalf);
}

}  // namespace

std::string names_of(const workload::Job& job, const PartSet& parts) {
  std::vector<std::string> names;
  names.reserve(parts.size());
  for (const std::uint32_t part : parts) names.push_back(job.parts[part].name);
  return finding::joined(names);
}

PartSet PartTimes::all() const {
  PartSet parts(job_.parts.size());
  std::iota(parts.begin(), parts.end(), 0U);
  return parts;
}

std::vector<PartSet> PartTimes::sets() const {
  std::vector<PartSet> sets;
  for (const std::uint32_t part : all()) sets.push_back({part});
  if (sets.size() < 3) return sets;
  for (const std::uint32_t one : all()) {
    for (std::uint32_t other = one + 1; other < job_.parts.size(); ++other)
      sets.push_back({one, other});
  }
  return sets;
}

void PartTimes::add(const PartSet& set, const std::vector<double>& part_us) {
  for (const std::uint32_t part : set)
    times_[{part, set}].record(std::chrono::round<std::chrono::nanoseconds>(
        std::chrono::duration<double, std::micro>(part_us[part])));
}

const measure::Histogram* PartTimes::times(std::uint32_t part, const PartSet& set) const {
  const auto found = times_.find({part, set});
  return found == times_.end() ? nullptr : &found->second;
}

results::JobFactor PartTimes::factor(std::uint32_t part, const PartSet& set,
                                     const std::string& with) const {
  const measure::Histogram* const together = times(part, set);
  if (together == nullptr) return {};
  const double alone_us = median_us(*times(part, {part}));
  const double us = median_us(*together);
  return {.with = with, .time_us = us, .factor = alone_us > 0 ? us / alone_us : 0};
}

std::vector<results::JobPart> PartTimes::parts(const std::vector<unsigned>& repetitions,
                                               std::uint8_t traffic_class) const {
  std::vector<results::JobPart> parts;
  for (const std::uint32_t at : all()) {
    const workload::JobPart& of = job_.parts[at];
    results::JobPart part{.name = of.name,
                          .ranks = of.alone->ranks,
                          .traffic_class = of.traffic_class.value_or(traffic_class),
                          .rails = of.rails,
                          .repetitions = repetitions[at]};
    if (const auto* const alone = times(at, {at}); alone != nullptr)
      part.alone_us = median_us(*alone);
    for (const std::uint32_t other : all()) {
      const PartSet pair{std::min(at, other), std::max(at, other)};
      if (other != at && job_.parts.size() > 2 && times(at, pair) != nullptr)
        part.with.push_back(factor(at, pair, job_.parts[other].name));
    }
    PartSet others = all();
    std::erase(others, at);
    part.together = factor(at, all(), names_of(job_, others));
    parts.push_back(std::move(part));
  }
  return parts;
}

std::optional<finding::Finding> PartTimes::finding(double most) const {
  auto found = finding::found("interference", finding::Cause::congestion, {});
  found.severity = finding::Severity::error;
  found.certainty = finding::Certainty::possible;
  found.remedy = "separate the parts by traffic class, rail or time";
  std::vector<std::string> texts;
  for (const std::uint32_t part : all()) {
    const double slower = factor(part, all(), "").factor;
    if (slower <= most) continue;
    const std::string& name = job_.parts[part].name;
    found.evidence.push_back({.metric = "factor of " + name,
                              .observed = slower,
                              .expected = most,
                              .expected_from = "--max-factor"});
    texts.push_back(name + " takes " + finding::number(slower) + " times as long as alone");
    const auto alone = measure::median_interval(*times(part, {part}));
    const auto together = measure::median_interval(*times(part, all()));
    if (alone && together && together->low_us > most * alone->high_us)
      found.certainty = finding::Certainty::likely;
  }
  if (texts.empty()) return std::nullopt;
  found.detail = finding::joined(texts) + ", expected at most " + finding::number(most);
  if (found.certainty == finding::Certainty::possible)
    found.excuses.emplace_back("medians of few steps, or of steps that differ, are not certain");
  return found;
}

}  // namespace railgauge::runner
