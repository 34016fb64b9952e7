#include "experiments/soak/turn.hpp"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace railgauge::runner {
namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

constexpr std::uint64_t kLongestBurst = 4096;
constexpr std::uint64_t kUntimed = 8;        // iterations of a burst that can do without a first
constexpr Microseconds kPacedBurst{10'000};  // long against a meeting, short against a buffer
constexpr Microseconds kBurst{100'000};
constexpr std::chrono::seconds kLongestRest{1};

/// What rank 0 decides before a burst, in one number for the others.
struct Burst {
  std::uint64_t size = 0;  // 0: the turn is over
  bool verify = false;

  [[nodiscard]] std::uint64_t code() const { return size << 1U | (verify ? 1U : 0U); }
  static Burst from(std::uint64_t code) { return {code >> 1U, (code & 1U) != 0}; }
};

class TurnRun {
 public:
  TurnRun(const measure::Iteration& iteration, const TurnRule& rule, VerificationTime& verification,
          measure::RankGroup& ranks)
      : iteration_(iteration),
        rule_(rule),
        verification_(verification),
        ranks_(ranks),
        burst_(kLongestBurst) {}

  TurnTimes run() {
    begin_ = Clock::now();
    for (Burst burst = decide(); burst.size > 0; burst = decide()) {
      ranks_.barrier();
      when_ = std::chrono::system_clock::now();
      time(burst);
      collect();
      rest();
    }
    verification_.all += Clock::now() - begin_;
    if (own_.count() > 0) turn_.own_us = own_.quantile_us(500);
    return std::move(turn_);
  }

 private:
  void time(const Burst& burst) {
    burst_.clear();
    if (burst.size >= kUntimed) run_untimed();
    iteration_begin_ = Clock::now();
    for (std::uint64_t i = 1; i < burst.size; ++i) time_one();
    if (burst.verify) {
      time_verified();
    } else {
      time_one();
    }
  }

  /// Ranks leave a meeting one after the other: what the first would wait for the last is no time
  /// of the fabric.
  void run_untimed() {
    (void)iteration_.run();
    ++turn_.iterations;
  }

  void time_one() {
    const std::chrono::nanoseconds waited = iteration_.run();
    const auto end = Clock::now();
    const auto time = end - iteration_begin_;
    burst_.push_back(Microseconds(time).count());
    own_.record(time - waited);
    ++turn_.iterations;
    iteration_begin_ = end;
  }

  void time_verified() {
    const auto before = Clock::now();
    iteration_.prepare();
    verification_.verified += Clock::now() - before;
    ranks_.barrier();
    iteration_begin_ = Clock::now();
    time_one();
    iteration_.verify();
    ++turn_.verified;
    verification_.verified += Clock::now() - iteration_begin_;
  }

  void collect() {
    for (const double us : burst_) turn_.longest_us = std::max(turn_.longest_us, us);
    for (const double us : ranks_.reduce(burst_, measure::OverRanks::slowest)) {
      turn_.times.record(std::chrono::round<std::chrono::nanoseconds>(Microseconds(us)));
      if (us <= turn_.slowest_us) continue;
      turn_.slowest_us = us;
      turn_.slowest_when = when_;
    }
  }

  void rest() const {
    if (rule_.interval_us <= 0) return;
    const Microseconds due(rule_.interval_us * static_cast<double>(turn_.iterations));
    const Microseconds ahead = due - (Clock::now() - begin_);
    if (ahead.count() > 0) std::this_thread::sleep_for(std::min<Microseconds>(ahead, kLongestRest));
  }

  /// By rank 0, which alone has the times.
  Burst decide() {
    const Microseconds left = rule_.left();
    Burst burst;
    if (left.count() > 0 || turn_.iterations < rule_.least) burst = next(left);
    return Burst::from(ranks_.broadcast(burst.code()));
  }

  [[nodiscard]] Burst next(Microseconds left) const {
    if (rule_.verified_share >= 1) return {1, true};
    const double one_us = expected_us();
    const Microseconds burst = std::min(left, rule_.interval_us > 0 ? kPacedBurst : kBurst);
    const double wanted = one_us > 0 ? burst.count() / one_us : 1;
    constexpr auto kMost = static_cast<double>(kLongestBurst);
    return {static_cast<std::uint64_t>(std::clamp(wanted, 1.0, kMost)), may_verify()};
  }

  /// Were it what iterations take now, slow ones would make short bursts, with more meetings, which
  /// make them slower.
  [[nodiscard]] double expected_us() const {
    if (rule_.expected_us > 0) return rule_.expected_us;
    return turn_.times.count() > 0 ? turn_.times.quantile_us(500) : 0;
  }

  [[nodiscard]] bool may_verify() const {
    if (rule_.verified_share <= 0) return false;
    const Microseconds all = verification_.all + (Clock::now() - begin_);
    return verification_.verified <= all * rule_.verified_share;
  }

  const measure::Iteration& iteration_;
  const TurnRule& rule_;
  VerificationTime& verification_;
  measure::RankGroup& ranks_;
  std::vector<double> burst_;  // in microseconds; made in full, so that recording is a store
  measure::Histogram own_;
  TurnTimes turn_;
  Clock::time_point begin_;
  Clock::time_point iteration_begin_;
  std::chrono::system_clock::time_point when_;
};

}  // namespace

TurnTimes run_turn(const measure::Iteration& iteration, const TurnRule& rule,
                   VerificationTime& verification, measure::RankGroup& ranks) {
  return TurnRun(iteration, rule, verification, ranks).run();
}

}  // namespace railgauge::runner
