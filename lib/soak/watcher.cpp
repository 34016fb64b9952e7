#include "soak/watcher.hpp"

#include <algorithm>

#include "soak/counter_watch.hpp"
#include "soak/places.hpp"
#include "soak/rank_watch.hpp"
#include "soak/time_watch.hpp"

namespace railgauge::soak {
namespace {

void append(std::vector<Event>& all, std::vector<Event> more) {
  for (Event& event : more) all.push_back(std::move(event));
}

/// Times of such a window say nothing of the level that they are on.
bool disturbs_times(const Event& event) {
  return event.kind == EventKind::flap || event.kind == EventKind::stall;
}

Event returned(const Gap& gap, const std::string& host) {
  Event event;
  event.kind = EventKind::host_returned;
  event.window = gap.after_window;
  event.when = gap.to;
  event.host = host;
  event.text = host + " was started anew while the soak did not run";
  event.cause = gap.why;
  return event;
}

}  // namespace

struct Watcher::Parts {
  explicit Parts(const Header& header) : places(header) {}

  Places places;
  CounterWatch counters{places};
  TimeWatch times{places};
  RankWatch ranks{places};
};

Watcher::Watcher(const Header& header) : parts_(std::make_unique<Parts>(header)) {}
Watcher::~Watcher() = default;
Watcher::Watcher(Watcher&&) noexcept = default;
Watcher& Watcher::operator=(Watcher&&) noexcept = default;

std::vector<Event> Watcher::take(const Window& window) {
  std::vector<Event> events = parts_->counters.take(window);
  append(events, parts_->ranks.stalls(window));
  if (std::ranges::any_of(events, disturbs_times)) return events;
  append(events, parts_->ranks.stragglers(window));
  if (!parts_->ranks.somebody_straggles()) append(events, parts_->times.take(window));
  return events;
}

bool Watcher::misses_packets() const {
  return parts_->counters.misses_packets();
}

std::vector<Event> Watcher::take(const Gap& gap) {
  std::vector<Event> events;
  for (const std::string& host : gap.rebooted) events.push_back(returned(gap, host));
  append(events, parts_->counters.take(gap));
  return events;
}

}  // namespace railgauge::soak
