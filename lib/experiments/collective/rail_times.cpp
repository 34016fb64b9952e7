#include "experiments/collective/rail_times.hpp"

#include <algorithm>

namespace railgauge::runner {
namespace {

constexpr double kNotDriven = -1;

std::vector<std::optional<double>> those_that_drive(const std::vector<double>& times_us) {
  std::vector<std::optional<double>> found;
  found.reserve(times_us.size());
  for (const double time_us : times_us) {
    found.push_back(time_us == kNotDriven ? std::nullopt : std::optional(time_us));
  }
  return found;
}

}  // namespace

RailTimes::RailTimes(Planes planes) : planes_(std::move(planes)), times_(planes_.size()) {}

void RailTimes::begin(std::vector<std::uint64_t> sent, std::uint64_t untimed) {
  for (measure::Histogram& times : times_) times.clear();
  sent_ = std::move(sent);
  untimed_ = untimed;
  runs_ = 0;
}

void RailTimes::record(std::span<const std::chrono::nanoseconds> planes) noexcept {
  if (++runs_ <= untimed_) return;
  for (std::size_t plane = 0; plane < times_.size(); ++plane) {
    if (planes[plane].count() > 0) times_[plane].record(planes[plane]);
  }
}

std::vector<results::RailResult> RailTimes::own(std::span<const std::uint64_t> sent) const {
  std::vector<results::RailResult> all;
  all.reserve(planes_.size());
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    const double p50_us = times_[i].count() > 0 ? times_[i].quantile_us(500) : 0;
    all.push_back({.rail = planes_[i].rail,
                   .bytes = sent[i] - sent_[i],
                   .p50_us = p50_us,
                   .plane = planes_[i].plane});
  }
  return all;
}

std::vector<results::RailResult> RailTimes::results(job::Communicator& communicator,
                                                    const Planes& planes,
                                                    std::span<const std::uint64_t> sent) const {
  std::vector<results::RailResult> all;
  all.reserve(planes.size());
  for (const Plane& plane : planes) all.push_back(result(communicator, plane, sent));
  return all;
}

results::RailResult RailTimes::result(job::Communicator& communicator, const Plane& plane,
                                      std::span<const std::uint64_t> sent) const {
  double p50_us = kNotDriven;
  double p99_us = kNotDriven;
  std::uint64_t bytes = 0;
  const auto place = static_cast<std::size_t>(std::ranges::find(planes_, plane) - planes_.begin());
  if (place < planes_.size() && times_[place].count() > 0) {
    p50_us = times_[place].quantile_us(500);
    p99_us = times_[place].quantile_us(990);
    bytes = (sent[place] - sent_[place]) / runs_;
  }
  const std::vector<double> medians_us = communicator.all_gather(p50_us);
  return {.rail = plane.rail,
          .bytes = communicator.sum(bytes, "the count of bytes sent"),
          .p50_us = std::max(0.0, std::ranges::max(medians_us)),
          .p99_us = std::max(0.0, std::ranges::max(communicator.all_gather(p99_us))),
          .rank_us = those_that_drive(medians_us),
          .plane = plane.plane};
}

}  // namespace railgauge::runner
