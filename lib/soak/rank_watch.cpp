#include "soak/rank_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "measure/statistics.hpp"

namespace railgauge::soak {
namespace {

// On software devices a rank's processors are the NIC too, and a busy machine has few of them.
constexpr double kLeastShareOfRank = 0.1;
constexpr double kLeastShareOfRankOnSoftware = 2;

constexpr double kLeastStallUs = 200'000;

std::string seconds(double us) {
  constexpr double kUsPerSecond = 1e6;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f s", us / kUsPerSecond);
  return text.data();
}

/// The host of all these ranks; empty if they are of several.
std::string host_of(const std::set<int>& ranks, const Places& places) {
  std::set<std::string> hosts;
  for (const int rank : ranks) {
    const auto at = static_cast<std::size_t>(rank);
    if (at < places.host_of_rank().size()) hosts.insert(places.host_of_rank()[at]);
  }
  return hosts.size() == 1 ? *hosts.begin() : "";
}

/// "rank 3 (host1)", "host1 (ranks 2, 3)".
std::string name_of(const std::set<int>& ranks, const Places& places) {
  if (ranks.size() == 1) return places.rank_name(*ranks.begin());
  std::string numbers;
  for (const int rank : ranks) numbers += (numbers.empty() ? "" : ", ") + std::to_string(rank);
  const std::string host = host_of(ranks, places);
  return (host.empty() ? "several hosts" : host) + " (ranks " + numbers + ")";
}

void place(Event& event, const std::set<int>& ranks, const Places& places) {
  event.host = host_of(ranks, places);
  if (ranks.size() == 1) event.rank = *ranks.begin();
}

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

/// Whether it waited for processors for as long. Software devices share theirs with others.
bool lacked_processors(const Window& window, std::size_t rank) {
  const auto found = std::ranges::find_if(
      window.ranks, [=](const RankSample& one) { return one.load.rank == static_cast<int>(rank); });
  return found != window.ranks.end() &&
         found->load.queued_us.value_or(0) >= excess_us(window, rank);
}

}  // namespace

std::vector<Event> RankWatch::stalls(const Window& window) const {
  std::set<int> still;
  double longest_us = 0;
  for (const RankSample& rank : window.ranks) {
    const double us = rank.stood_still_us.value_or(0);
    if (us > kLeastStallUs) still.insert(rank.load.rank);
    longest_us = std::max(longest_us, us);
  }
  if (still.empty() || 2 * still.size() > window.ranks.size()) return {};
  Event event = event_in(EventKind::stall, window);
  place(event, still, *places_);
  event.cause = "stopped by a signal or a debugger, or frozen; it did not wait for a processor";
  event.text = name_of(still, *places_) + " stood still for " + (still.size() > 1 ? "up to " : "") +
               seconds(longest_us);
  return {event};
}

/// By the logarithm of how much longer than the others they take.
void RankWatch::take(const Window& window, const PhaseSample& sample) {
  std::vector<double> times;
  for (const double own : sample.rank_own_us) {
    if (!(own > 0)) return;
    times.push_back(std::log(own));
  }
  if (times.size() < 2) return;
  const double median = measure::median(times);
  const double least = places_->software() ? kLeastShareOfRankOnSoftware : kLeastShareOfRank;
  // Told sooner than what ports' times show: they are late, too.
  const std::size_t enough =
      places_->software() ? StepDetector::kEnoughOfSoftware : StepDetector::kEnough;
  for (std::size_t rank = 0; rank < times.size(); ++rank) {
    const double others = times.size() == 2 ? times[1 - rank] : median;
    const int number = static_cast<int>(rank);
    StepDetector& detector =
        own_.try_emplace({sample.phase, number}, StepDetector::kRun, enough).first->second;
    double excess = times[rank] - others;
    if (places_->software() && lacked_processors(window, rank)) {
      excess = std::min(excess, detector.level().value_or(excess));
    }
    const auto step = detector.take(window.number, excess, least);
    if (step) suspects_.try_emplace(number, *step);
  }
}

/// Where all ranks of a host are above their past, it is the host.
Event RankWatch::told(const Window& window) const {
  std::set<int> slow;
  Step first = suspects_.begin()->second;
  for (const auto& [rank, step] : suspects_) {
    slow.insert(rank);
    if (step.first_window < first.first_window) first = step;
  }
  for (const auto& [place, steps] : own_) {
    if (steps.excess() > first.by / 2) slow.insert(place.second);
  }
  Event event = event_in(EventKind::straggler, window);
  event.window = first.first_window;
  if (const auto start = starts_.find(event.window); start != starts_.end()) {
    event.when = start->second;
  }
  place(event, slow, *places_);
  std::array<char, 32> times{};
  std::snprintf(times.data(), times.size(), "%.3g", std::exp(first.by));
  event.text = name_of(slow, *places_) + " takes " + times.data() +
               " times as long as before for its own part of an iteration, others do not";
  event.cause = "its processors or memory: other programs, throttling, placement";
  return event;
}

std::vector<Event> RankWatch::stragglers(const Window& window) {
  starts_[window.number] = window.start;
  if (starts_.size() > StepDetector::kStartsKept) starts_.erase(starts_.begin());
  const bool before = somebody_straggles();
  suspects_.clear();
  for (const PhaseSample& sample : window.phases) take(window, sample);
  if (suspects_.empty() || before) return {};
  return {told(window)};
}

bool RankWatch::somebody_straggles() const {
  return std::ranges::any_of(own_, [](const auto& one) { return one.second.is_raised(); });
}

}  // namespace railgauge::soak
