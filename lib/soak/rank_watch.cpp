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
constexpr double kTimesLonger = 2;  // than the longest wait of the windows before
// Who waits for a process that stands still polls, and sleeps in between: at least a third of the
// time. Who stands still wants no processor.
constexpr double kPolling = 3;
// Who sleeps until there is something to do, or waits for a processor, is accounted for; who waits
// in MPI for a third of the time. Who stands still is not.
constexpr double kAbsent = 0.85;
constexpr double kAlike = 0.7;  // of those that stood still together
constexpr std::size_t kEnoughForStalls = 5;

double median_of(const std::deque<double>& values) {
  return measure::median(std::vector<double>(values.begin(), values.end()));
}

void remember(std::deque<double>& past, double value) {
  past.push_back(value);
  if (past.size() > StepDetector::kPast) past.pop_front();
}

/// An iteration, or what the window took beyond its time: a process may stand still between two
/// iterations, when the others wait for it to begin.
double longest_wait_us(const Window& window, double window_s) {
  constexpr double kUsPerSecond = 1e6;
  double longest = kUsPerSecond * (window.length_s - window_s);
  for (const PhaseSample& sample : window.phases) longest = std::max(longest, sample.slowest.us);
  return longest;
}

std::string seconds(double us) {
  constexpr double kUsPerSecond = 1e6;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g s", us / kUsPerSecond);
  return text.data();
}

/// How long it ran, or would have.
double wanted_processor_us(const RankSample& rank) {
  return rank.load.ran_us + rank.load.queued_us.value_or(0);
}

/// For what part of its time it neither ran nor slept nor waited for a processor; empty if the
/// kernel does not say.
std::optional<double> unaccounted_us(const results::RankLoad& load) {
  if (!load.queued_us) return std::nullopt;
  return std::max(0.0, load.wall_us - load.ran_us - *load.queued_us - load.slept_us);
}

double unaccounted_share(const results::RankLoad& load) {
  return load.wall_us > 0 ? unaccounted_us(load).value_or(0) / load.wall_us : 0;
}

double median_wanted_us(const Window& window) {
  std::vector<double> all;
  all.reserve(window.ranks.size());
  for (const RankSample& rank : window.ranks) all.push_back(wanted_processor_us(rank));
  return all.empty() ? 0 : measure::median(all);
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

}  // namespace

/// Of the longest wait, if it is nearly all of that; the rest of the window was as it always is.
double RankWatch::absent_us(const results::RankLoad& load, double longest_us) const {
  const auto past = unaccounted_.find(load.rank);
  const auto us = unaccounted_us(load);
  if (past == unaccounted_.end() || !us) return 0;
  const double rest_us = std::max(0.0, load.wall_us - longest_us);
  const double absent = *us - median_of(past->second) * rest_us;
  return absent > kAbsent * longest_us ? absent : 0;
}

std::optional<Event> RankWatch::stall(const Window& window, double longest_us) const {
  std::map<int, double> more;  // held up than usual, of those that it matters of
  double most = 0;
  const double busy_us = median_wanted_us(window);
  for (const RankSample& rank : window.ranks) {
    const auto past = held_up_us_.find(rank.load.rank);
    if (past == held_up_us_.end()) continue;
    const double us = std::max({rank.load.held_up_us - median_of(past->second),
                                kPolling * (busy_us - wanted_processor_us(rank)),
                                absent_us(rank.load, longest_us)});
    if (us > longest_us / 2) more[rank.load.rank] = us;
    most = std::max(most, us);
  }
  if (more.empty() || 2 * more.size() > window.ranks.size()) return std::nullopt;
  std::set<int> still;
  for (const auto& [rank, us] : more) {
    if (us > kAlike * most) still.insert(rank);
  }
  Event event = event_in(EventKind::stall, window);
  place(event, still, *places_);
  event.cause = "the process was stopped, throttled or got no processor";
  event.text =
      name_of(still, *places_) + " stood still, and held the others up for " + seconds(longest_us);
  return event;
}

std::vector<Event> RankWatch::stalls(const Window& window, bool disturbed) {
  if (disturbed) return {};
  const double longest = longest_wait_us(window, places_->window_s());
  const bool known = longest_us_.size() >= kEnoughForStalls;
  if (known && longest > kLeastStallUs &&
      longest > kTimesLonger * *std::ranges::max_element(longest_us_)) {
    const auto event = stall(window, longest);
    if (event) return {*event};  // and nothing is learnt from it
  }
  remember(longest_us_, longest);
  for (const RankSample& rank : window.ranks) {
    remember(held_up_us_[rank.load.rank], rank.load.held_up_us);
    remember(unaccounted_[rank.load.rank], unaccounted_share(rank.load));
  }
  return {};
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
  for (std::size_t rank = 0; rank < times.size(); ++rank) {
    const double others = times.size() == 2 ? times[1 - rank] : median;
    const int number = static_cast<int>(rank);
    const auto step = own_[{sample.phase, number}].take(window.number, times[rank] - others, least);
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
