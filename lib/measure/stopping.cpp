#include "measure/stopping.hpp"

#include <algorithm>

#include "measure/median_interval.hpp"

namespace railgauge::measure {
namespace {

bool is_narrow(const StoppingRule& rule, const Histogram& times) {
  const auto interval = median_interval(times);
  if (!interval) return false;
  return interval->high_us - interval->low_us <= *rule.interval * times.quantile_us(500);
}

}  // namespace

std::optional<StoppedBy> stop(const StoppingRule& rule, const Histogram& times,
                              std::chrono::nanoseconds elapsed) {
  if (times.count() < rule.iterations) return std::nullopt;
  if (rule.interval && is_narrow(rule, times)) return StoppedBy::interval;
  if (rule.duration && elapsed >= *rule.duration) return StoppedBy::duration;
  if (rule.duration || rule.interval) return std::nullopt;
  return StoppedBy::iterations;
}

std::uint64_t next_batch(const StoppingRule& rule, const Histogram& times,
                         std::chrono::nanoseconds elapsed, std::uint64_t most) {
  if (times.count() < rule.iterations) return std::min(rule.iterations - times.count(), most);
  constexpr std::chrono::duration<double, std::micro> kSecond = std::chrono::seconds(1);
  double budget_us = kSecond.count();
  if (rule.duration) {
    const std::chrono::duration<double, std::micro> left = *rule.duration - elapsed;
    budget_us = std::min(budget_us, left.count());
  }
  const double wanted = budget_us / std::max(times.quantile_us(500), 1e-3);
  return static_cast<std::uint64_t>(std::clamp(wanted, 1.0, static_cast<double>(most)));
}

}  // namespace railgauge::measure
