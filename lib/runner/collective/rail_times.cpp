#include "runner/collective/rail_times.hpp"

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

RailTimes::RailTimes(RailSet rails) : rails_(std::move(rails)), times_(rails_.size()) {}

void RailTimes::begin(std::vector<std::uint64_t> sent, std::uint64_t untimed) {
  for (measure::Histogram& times : times_) times.clear();
  sent_ = std::move(sent);
  untimed_ = untimed;
  runs_ = 0;
}

void RailTimes::record(std::span<const std::chrono::nanoseconds> stripes) noexcept {
  if (++runs_ <= untimed_) return;
  for (std::size_t rail = 0; rail < times_.size() && rail < stripes.size(); ++rail) {
    std::chrono::nanoseconds longest{0};
    for (std::size_t i = rail; i < stripes.size(); i += times_.size()) {
      longest = std::max(longest, stripes[i]);
    }
    times_[rail].record(longest);
  }
}

std::vector<results::RailResult> RailTimes::results(job::Communicator& communicator,
                                                    const RailSet& rails,
                                                    std::span<const std::uint64_t> sent) const {
  std::vector<results::RailResult> all;
  all.reserve(rails.size());
  for (const unsigned rail : rails) all.push_back(result(communicator, rail, sent));
  return all;
}

results::RailResult RailTimes::result(job::Communicator& communicator, unsigned rail,
                                      std::span<const std::uint64_t> sent) const {
  double p50_us = kNotDriven;
  double p99_us = kNotDriven;
  std::uint64_t bytes = 0;
  const auto place = static_cast<std::size_t>(std::ranges::find(rails_, rail) - rails_.begin());
  if (place < rails_.size() && times_[place].count() > 0) {
    p50_us = times_[place].quantile_us(500);
    p99_us = times_[place].quantile_us(990);
    bytes = (sent[place] - sent_[place]) / runs_;
  }
  const std::vector<double> medians_us = communicator.all_gather(p50_us);
  return {.rail = rail,
          .bytes = communicator.sum(bytes, "the count of bytes sent"),
          .p50_us = std::max(0.0, std::ranges::max(medians_us)),
          .p99_us = std::max(0.0, std::ranges::max(communicator.all_gather(p99_us))),
          .rank_us = those_that_drive(medians_us)};
}

}  // namespace railgauge::runner
