#include "soak/rank_watch.hpp"

#include <algorithm>
#include <cmath>

#include "measure/statistics.hpp"
#include "normal/others.hpp"

namespace railgauge::soak {
namespace {

// On software devices a rank's processors are the NIC too, and a busy machine has few of them.
constexpr double kLeastShareOfRank = 0.1;
constexpr double kLeastShareOfRankOnSoftware = 2;

constexpr double kLeastStallUs = 200'000;
constexpr double kUsPerSecond = 1e6;

using finding::Cause;
using finding::Finding;
using normal::Others;
using normal::Step;
using normal::StepDetector;

/// How much longer a rank took than the others for its own part, in all iterations of a window.
double excess_us(const Window& window, std::size_t rank) {
  double excess = 0;
  for (const PhaseSample& phase : window.phases) {
    if (rank >= phase.rank_own_us.size()) continue;
    const double more = phase.rank_own_us[rank] - measure::median(phase.rank_own_us);
    excess += static_cast<double>(phase.iterations) * std::max(0.0, more);
  }
  return excess;
}

std::set<int> ranks_of(const std::map<int, double>& values) {
  std::set<int> ranks;
  for (const auto& [rank, value] : values) ranks.insert(rank);
  return ranks;
}

/// Whether it waited for processors for as long. Software devices share theirs with others.
bool lacked_processors(const Window& window, std::size_t rank) {
  const auto found = std::ranges::find_if(
      window.ranks, [=](const RankSample& one) { return one.load.rank == static_cast<int>(rank); });
  return found != window.ranks.end() &&
         found->load.queued_us.value_or(0) >= excess_us(window, rank);
}

}  // namespace

std::vector<Finding> RankWatch::stalls(const Window& window) const {
  std::map<int, double> stalled_us;
  for (const RankSample& rank : window.ranks) {
    const double us = rank.longest_descheduled_us.value_or(0);
    if (us > kLeastStallUs) stalled_us[rank.load.rank] = us;
  }
  if (2 * stalled_us.size() > window.ranks.size()) return {};
  std::vector<Finding> findings;
  for (const finding::Location& where : places_->processors(ranks_of(stalled_us))) {
    double longest_us = 0;
    for (const int rank : where.at.ranks) longest_us = std::max(longest_us, stalled_us.at(rank));
    findings.push_back(found_in(window, Cause::descheduled, where));
    findings.back().evidence = {{.metric = "longest time without running",
                                 .unit = "s",
                                 .observed = longest_us / kUsPerSecond,
                                 .text = "not waiting for a processor"}};
    findings.back().remedy = "check for signals, a debugger or a frozen host";
  }
  return findings;
}

/// By the logarithm of how much longer than the others they take.
void RankWatch::take(const Window& window, const PhaseSample& sample) {
  std::vector<double> times;
  for (const double own : sample.rank_own_us) {
    if (!(own > 0)) return;
    times.push_back(std::log(own));
  }
  if (times.size() < 2) return;
  const Others others(times);
  const double least = places_->software() ? kLeastShareOfRankOnSoftware : kLeastShareOfRank;
  // Found sooner than what ports' times show: they are late, too.
  const std::size_t enough =
      places_->software() ? Places::kEnoughOfSoftware : StepDetector::kEnough;
  for (std::size_t rank = 0; rank < times.size(); ++rank) {
    const int number = static_cast<int>(rank);
    StepDetector& detector =
        own_.try_emplace({sample.phase, number}, StepDetector::kRun, enough).first->second;
    double excess = times[rank] - others.of(rank);
    if (places_->software() && lacked_processors(window, rank)) {
      excess = std::min(excess, detector.level().value_or(excess));
    }
    const auto step = detector.take(window.number, excess, least, window.start);
    if (step) suspects_.try_emplace(number, *step);
  }
}

/// With all ranks that are above their past.
std::vector<Finding> RankWatch::slow_processors(const Window& window) const {
  std::set<int> slow;
  Step first = suspects_.begin()->second;
  for (const auto& [rank, step] : suspects_) {
    slow.insert(rank);
    if (step.first_window < first.first_window) first = step;
  }
  for (const auto& [place, steps] : own_) {
    if (steps.excess() > first.by / 2) slow.insert(place.second);
  }
  std::vector<Finding> findings;
  for (const finding::Location& where : places_->processors(slow)) {
    findings.push_back(found_since(first, window, Cause::slow_processor, where));
    findings.back().certainty = finding::Certainty::likely;
    findings.back().evidence = {{.metric = "own time per iteration",
                                 .unit = "times its past",
                                 .observed = std::exp(first.by),
                                 .text = "other ranks unchanged"}};
  }
  return findings;
}

std::vector<Finding> RankWatch::stragglers(const Window& window) {
  const bool before = is_any_slower();
  suspects_.clear();
  for (const PhaseSample& sample : window.phases) take(window, sample);
  if (suspects_.empty() || before) return {};
  return slow_processors(window);
}

bool RankWatch::is_any_slower() const {
  return std::ranges::any_of(own_, [](const auto& one) { return one.second.is_raised(); });
}

}  // namespace railgauge::soak
