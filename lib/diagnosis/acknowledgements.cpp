#include "diagnosis/acknowledgements.hpp"

#include <vector>

#include "measure/statistics.hpp"

namespace railgauge::diagnosis {
namespace {

/// Of chunks, from the notification at the receiver to the completion at the sender: of each path
/// and row a quantile.
struct Times {
  std::vector<double> first_us{};  // 10 %
  std::vector<double> middle_us{};
  std::vector<double> last_us{};  // 90 %

  void add(const results::Quantiles& back) {
    first_us.push_back(back.p10_us);
    middle_us.push_back(back.p50_us);
    last_us.push_back(back.p90_us);
  }
};

double median_or_none(const std::vector<double>& values) {
  return values.empty() ? 0 : measure::median(values);
}

/// How late the last acknowledgements are where neither they nor their data pass the place: as much
/// as a processor makes of it that is missing now and then. It sees a chunk late, too, so that
/// others seem early.
double noise_us(const Place& place, const Marks& marks, const Ports& ports) {
  std::vector<double> last_us;
  for (const auto& [path, of_path] : marks.data) {
    if (holds(place, path, ports) || holds(place, {path.to, path.from}, ports)) continue;
    for (const Mark& mark : of_path) {
      if (mark.time.back) last_us.push_back(mark.time.back->p90_us);
    }
  }
  return median_or_none(last_us);
}

}  // namespace

Acknowledgements acknowledgements_at(const Place& place, double floor_us, const Marks& marks,
                                     const Ports& ports) {
  // Of what data take longer:
  constexpr double kPrompt = 0.3;  // less does not count
  constexpr double kBehindData = 0.5;
  constexpr double kLate = 0.75;
  constexpr double kEarly = 0.5;    // one that is no delay
  constexpr double kAll = 0.96;     // in the middle it takes all of it, as jitter does not
  constexpr double kMost = 1.5;     // more is the time of others' data, too
  constexpr double kScattered = 8;  // times from the first to the middle one
  constexpr double kNoise = 0.5;    // more tells nothing
  Times here;
  Times elsewhere;
  for (const auto& [path, of_path] : marks.data) {
    const bool passes = holds(place, {path.to, path.from}, ports);
    for (const Mark& mark : of_path) {
      if (mark.time.back) (passes ? here : elsewhere).add(*mark.time.back);
    }
  }
  if (here.first_us.empty() || floor_us <= kLeastExcess) return Acknowledgements::unmeasured;
  const auto excess_us = [&](const std::vector<double> Times::*quantile) {
    return measure::median(here.*quantile) - median_or_none(elsewhere.*quantile);
  };
  const double first_us = excess_us(&Times::first_us);
  const double middle_us = excess_us(&Times::middle_us);
  const double noise = noise_us(place, marks, ports);
  if (noise > kNoise * floor_us) return Acknowledgements::unmeasured;
  if (middle_us < kPrompt * floor_us) {
    const bool some = excess_us(&Times::last_us) > kBehindData * floor_us;
    return some ? Acknowledgements::queued : Acknowledgements::prompt;
  }
  if (middle_us > kMost * floor_us || (first_us + noise) * kScattered < middle_us)
    return Acknowledgements::queued;
  if (first_us >= kLate * floor_us) return Acknowledgements::late;
  const bool varies = first_us + noise < kEarly * floor_us && middle_us < kAll * floor_us;
  return varies ? Acknowledgements::scattered : Acknowledgements::unmeasured;
}

}  // namespace railgauge::diagnosis
