#include "measure/timing.hpp"

#include <algorithm>

#include "measure/statistics.hpp"

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

namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

// Between two looks at whether it is enough.
constexpr std::uint64_t kLongestBatch = 4096;

/// What rank 0 decides after a batch, in one number that the others are told.
struct Decision {
  std::uint64_t batch = 0;  // 0: it is enough
  StoppedBy stopped_by = StoppedBy::iterations;
  bool verify = false;

  [[nodiscard]] std::uint64_t code() const {
    return batch << 8U | std::uint64_t{static_cast<std::uint8_t>(stopped_by)} << 1U |
           (verify ? 1U : 0U);
  }
  static Decision from(std::uint64_t code) {
    return {code >> 8U, static_cast<StoppedBy>(code >> 1U & 0x7fU), (code & 1U) != 0};
  }
};

class Stopwatch {
 public:
  Stopwatch(const Iteration& iteration, const TimingRule& rule, RankGroup& ranks)
      : iteration_(iteration), rule_(rule), ranks_(ranks), batch_(kLongestBatch) {}

  Timing run() {
    for (std::uint64_t i = 0; i < rule_.warm_up; ++i) (void)iteration_.run();
    start_ = Clock::now();
    std::uint64_t size =
        std::min(std::max<std::uint64_t>(rule_.stopping.iterations, 1), kLongestBatch);
    std::uint64_t verified = std::min(rule_.verified, size);
    while (size > 0) {
      time_batch(size, verified);
      const Decision next = decide();
      size = next.batch;
      verified = next.verify ? 1 : 0;
      timing_.stopped_by = next.stopped_by;
    }
    timing_.medians_us = ranks_.all_gather(all_.quantile_us(500));
    timing_.own_us = ranks_.all_gather(own_.quantile_us(500));
    return std::move(timing_);
  }

 private:
  /// `verified` of them, evenly, and the last. Begins with an iteration that is not timed, because
  /// ranks come from elsewhere.
  void time_batch(std::uint64_t size, std::uint64_t verified) {
    batch_.clear();
    ranks_.barrier();
    if (timing_.verified > 0 || all_.count() > 0) (void)iteration_.run();
    begin_ = Clock::now();
    for (std::uint64_t i = 0; i < size; ++i) {
      const bool sampled = (i + 1) * verified / size != i * verified / size;
      if (sampled) {
        time_verified();
      } else {
        if (rule_.separation == Separation::barrier_outside) begin_together();
        time_one(rule_.collectives);
      }
    }
    collect();
  }

  void begin_together() {
    ranks_.barrier();
    begin_ = Clock::now();
  }

  void time_one(std::uint64_t collectives) {
    std::chrono::nanoseconds waited{0};
    for (std::uint64_t i = 0; i < collectives; ++i) {
      waited += iteration_.run();
      if (rule_.separation == Separation::barrier_inside) waited += wait_for_all();
    }
    const auto end = Clock::now();
    const auto divisor = static_cast<std::int64_t>(collectives);
    const auto time = (end - begin_) / divisor;
    batch_.push_back(Microseconds(time).count());
    all_.record(time);
    own_.record(time - waited / divisor);
    begin_ = end;
  }

  std::chrono::nanoseconds wait_for_all() {
    const auto begin = Clock::now();
    ranks_.barrier();
    return Clock::now() - begin;
  }

  void time_verified() {
    const auto before = Clock::now();
    iteration_.prepare();
    timing_.verification += Clock::now() - before;
    begin_together();
    time_one(1);
    const auto after = Clock::now();
    iteration_.verify();
    ++timing_.verified;
    timing_.verification += Clock::now() - after;
    begin_together();
  }

  void keep() {
    const std::size_t missing = rule_.kept - timing_.kept_us.size();
    const auto first = std::span(batch_).first(std::min(batch_.size(), missing));
    timing_.kept_us.insert(timing_.kept_us.end(), first.begin(), first.end());
  }

  void collect() {
    keep();
    const auto over_ranks = ranks_.reduce(batch_, rule_.over_ranks);
    for (const double us : over_ranks) {
      const auto time = std::chrono::round<std::chrono::nanoseconds>(Microseconds(us));
      if (timing_.times.count() >= rule_.skipped) timing_.later.record(time);
      timing_.times.record(time);
    }
  }

  /// By rank 0, which alone has the times.
  Decision decide() {
    Decision decision;
    const auto elapsed = Clock::now() - start_;
    if (timing_.times.count() > 0) {
      const auto enough = stop(rule_.stopping, timing_.times, elapsed);
      decision.stopped_by = enough.value_or(StoppedBy::iterations);
      if (!enough) {
        decision.batch = next_batch(rule_.stopping, timing_.times, elapsed, kLongestBatch);
        constexpr int kTenth = 10;
        decision.verify = rule_.verified > 0 && timing_.verification * kTenth < elapsed;
      }
    }
    return Decision::from(ranks_.broadcast(decision.code()));
  }

  const Iteration& iteration_;
  const TimingRule& rule_;
  RankGroup& ranks_;
  std::vector<double> batch_;  // in microseconds; made in full, so that recording is a store
  Histogram all_;              // of this rank, as are
  Histogram own_;
  Timing timing_;
  Clock::time_point start_;
  Clock::time_point begin_;
};

}  // namespace

Timing time_iterations(const Iteration& iteration, const TimingRule& rule, RankGroup& ranks) {
  return Stopwatch(iteration, rule, ranks).run();
}

}  // namespace railgauge::measure
