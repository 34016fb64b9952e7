#include "soak/counter_watch.hpp"

#include <algorithm>
#include <iterator>

#include "soak/lost_packets.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::soak {
namespace {

using telemetry::Counted;
using telemetry::Meaning;
using telemetry::Way;

/// Empty for what happens on a healthy fabric, too.
std::optional<EventKind> kind_of(const Meaning& meaning) {
  if (meaning.microseconds) return std::nullopt;
  switch (meaning.counted) {
    case Counted::loss:
      return meaning.way == Way::either ? EventKind::retransmission : EventKind::loss;
    case Counted::repetition: return EventKind::retransmission;
    case Counted::exhausted: return EventKind::loss;
    case Counted::corruption:
    case Counted::physical: return EventKind::corruption;
    case Counted::link: return EventKind::flap;
    default:
      return telemetry::is_fault(meaning.counted) ? std::optional(EventKind::fault) : std::nullopt;
  }
}

struct Move {
  std::string name{};
  std::int64_t by = 0;
  Way way = Way::either;
};

/// By what it tells, what a port counted; what went back is not among it.
std::map<EventKind, std::vector<Move>> moves_of(const PortSample& port, bool software) {
  std::map<EventKind, std::vector<Move>> all;
  for (const auto& [name, by] : port.moved) {
    const auto meaning = telemetry::meaning_of(name);
    if (by <= 0 || !meaning) continue;
    if (software && telemetry::is_of_busy_machine(*meaning)) continue;
    const auto kind = kind_of(*meaning);
    if (kind) all[*kind].push_back({name, by, meaning->way});
  }
  return all;
}

PortLoss loss_of(const PortSample& port, const std::vector<Move>& moves) {
  PortLoss loss{.port = &port};
  for (const Move& move : moves) {
    std::int64_t& most = move.way == Way::sent       ? loss.sent
                         : move.way == Way::received ? loss.received
                                                     : loss.either;
    most = std::max(most, move.by);
    loss.counters[move.name] = move.by;
  }
  return loss;
}

void tell_counters(Event& event, const std::vector<Move>& moves) {
  for (const Move& move : moves) {
    event.counters[move.name] = move.by;
    event.text += ", " + move.name + " " + std::to_string(move.by);
  }
}

using Rail = RailKey;
using LossesOfRails = std::map<Rail, std::vector<PortLoss>>;

std::int64_t most_lost(const LossesOfRails& losses, const Rail& rail) {
  const auto found = losses.find(rail);
  std::int64_t most = 0;
  if (found == losses.end()) return most;
  for (const PortLoss& one : found->second) {
    most = std::max({most, one.sent, one.received, one.either});
  }
  return most;
}

/// What all ports counted, by what it tells and the rail that it tells about.
class Counts {
 public:
  /// Of rails that `balance` knows it tells what is lost, and gaps in what arrives tell nothing.
  Counts(const Window& window, const Places& places, const PacketBalance& balance)
      : window_(window), places_(places), balance_(balance) {
    for (const PortSample& port : window.ports) add(port);
  }

  /// Worst first, without what follows from worse.
  [[nodiscard]] std::vector<Event> events() const {
    std::vector<Event> all = of(EventKind::corruption, [](const Rail&) { return false; });
    const auto lost = of(EventKind::loss, [&](const Rail& rail) {
      if (balance_.knows(rail)) return true;
      return most_lost(at(EventKind::loss), rail) <= most_lost(at(EventKind::corruption), rail);
    });
    all.insert(all.end(), lost.begin(), lost.end());
    const auto again = of(EventKind::retransmission, [&](const Rail& rail) {
      return at(EventKind::loss).contains(rail) || at(EventKind::corruption).contains(rail);
    });
    all.insert(all.end(), again.begin(), again.end());
    return all;
  }

 private:
  void add(const PortSample& port) {
    for (const auto& [kind, moves] : moves_of(port, places_.software())) {
      losses_[kind][{port.rail, port.plane}].push_back(loss_of(port, moves));
    }
  }

  [[nodiscard]] const LossesOfRails& at(EventKind kind) const {
    static const LossesOfRails kNone;
    const auto found = losses_.find(kind);
    return found == losses_.end() ? kNone : found->second;
  }

  template <class Follows>
  [[nodiscard]] std::vector<Event> of(EventKind kind, const Follows& follows) const {
    std::vector<Event> events;
    for (const auto& [rail, ports] : at(kind)) {
      if (!follows(rail)) events.push_back(blame(kind, window_, ports, places_));
    }
    return events;
  }

  const Window& window_;
  const Places& places_;
  const PacketBalance& balance_;
  std::map<EventKind, LossesOfRails> losses_;
};

/// "host1 soft1 (rail 1), host2 soft1 (rail 1)": who sent again or missed something.
std::string who_noticed(const Window& window, const Rail& rail, const Places& places) {
  std::string names;
  for (const PortSample& port : window.ports) {
    if (Rail{port.rail, port.plane} != rail) continue;
    if (!moves_of(port, false).contains(EventKind::retransmission)) continue;
    names += (names.empty() ? "" : ", ") + places.name(port);
  }
  return names;
}

/// Lost in that window, as the count of packets tells.
Event missing(const Window& window, const Rail& rail, std::int64_t packets, const Places& places) {
  Event event = event_in(EventKind::loss, window);
  event.rail = rail.first;
  event.plane = rail.second;
  event.text = "packet loss: of what was sent on " + places.rail_name(rail.first, rail.second) +
               ", " + std::to_string(packets) + " packet" + (packets == 1 ? "" : "s") +
               " never arrived";
  const std::string names = who_noticed(window, rail, places);
  if (!names.empty()) event.text += "; sent again by " + names;
  return event;
}

/// What is of a port alone, and not of packets between two.
void add_others(const Window& window, const PortSample& port, const Places& places,
                std::vector<Event>& events) {
  auto moves = moves_of(port, places.software());
  if (moves.contains(EventKind::fault)) {
    Event event = event_at(EventKind::fault, window, port);
    event.text = places.name(port) + " counted what a healthy fabric does not";
    tell_counters(event, moves[EventKind::fault]);
    events.push_back(std::move(event));
  }
  std::vector<Move> back;
  for (const auto& [name, by] : port.moved) {
    if (by < 0) back.push_back({name, by});
  }
  if (back.empty()) return;
  Event event = event_at(EventKind::counter_reset, window, port);
  event.cause = "its driver or device was started anew, or somebody cleared them";
  event.text = "counters of " + places.name(port) + " went back";
  tell_counters(event, back);
  events.push_back(std::move(event));
}

std::string of_elements(std::uint64_t wrong) {
  return std::to_string(wrong) + " element" + (wrong == 1 ? " was" : "s were") + " wrong";
}

/// As far as the verification traced them.
void add_wrong_data(const Window& window, const Places& places, std::vector<Event>& events) {
  for (const PhaseSample& sample : window.phases) {
    if (sample.wrong == 0) continue;
    Event event = event_in(EventKind::wrong_data, window);
    event.text = "wrong data: " + of_elements(sample.wrong);
    if (sample.phase < places.plan().size()) {
      const Phase& phase = places.plan()[sample.phase];
      event.text +=
          " in " + phase.collective + " of " + std::to_string(phase.size_bytes) + " bytes";
      if (phase.rails.size() == 1) event.rail = static_cast<int>(phase.rails.front());
    }
    if (!sample.findings.empty()) {
      const results::Finding& finding = sample.findings.front();
      event.host = finding.host;
      event.device = finding.device;
      if (finding.rail) event.rail = finding.rail;
      event.plane = finding.plane;
      if (finding.ranks.size() == 1) event.rank = finding.ranks.front();
      event.cause = finding.cause;
      event.text += "; " + finding.text;
    } else if (!sample.complaints.empty()) {
      event.text += "; " + sample.complaints.front();
    }
    events.push_back(std::move(event));
  }
}

bool is_down(const std::string& state) {
  return !state.empty() && state != "ACTIVE";
}

/// Packets that a link took along when it went down.
void name_cause(std::vector<Event>& events, const std::vector<Event>& flaps) {
  for (Event& event : events) {
    if (event.kind != EventKind::loss && event.kind != EventKind::retransmission) continue;
    const auto flap = std::ranges::find_if(flaps, [&](const Event& one) {
      return one.window == event.window && one.rail == event.rail && one.plane == event.plane;
    });
    if (flap != flaps.end()) event.cause = "the link of " + flap->host + " went down";
  }
}

std::string speed(double gigabits) {
  std::string text = std::to_string(gigabits);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " Gb/s";
}

}  // namespace

void CounterWatch::look_at_link(const Window& window, const PortSample& port,
                                std::vector<Event>& events) {
  Link& link = links_[key_of(port)];
  const auto moves = moves_of(port, places_->software());
  const auto counted = moves.find(EventKind::flap);
  const bool went_down = is_down(port.state) && !is_down(link.state);
  if (counted != moves.end() || went_down) {
    Event event = event_at(EventKind::flap, window, port);
    event.cause = "cable, transceiver, or the switch's port";
    event.text = "the link of " + places_->name(port) + " went down" +
                 (is_down(port.state) ? " and is " + port.state : "");
    if (counted != moves.end()) tell_counters(event, counted->second);
    events.push_back(std::move(event));
  }
  const auto& before = link.gigabits_per_second;
  const auto& now = port.link_gigabits_per_second;
  if (before && now && *before != *now && !is_down(port.state)) {
    Event event = event_at(EventKind::speed_change, window, port);
    event.cause = "cable, transceiver, or a setting of the switch";
    event.text = "the link of " + places_->name(port) + " runs at " + speed(*now) +
                 ", and ran at " + speed(*before);
    events.push_back(std::move(event));
  }
  if (!port.state.empty()) link.state = port.state;
  if (now && !is_down(port.state)) link.gigabits_per_second = now;
}

/// Those that miss packets name the place, if there are any.
Event CounterWatch::told(const Lost& lost) const {
  const auto found = std::ranges::find(last_, lost.window, &Window::number);
  const Window& window = found == last_.end() ? last_.back() : *found;
  std::vector<PortLoss> noticed;
  for (const PortSample& port : window.ports) {
    const auto moves = moves_of(port, places_->software());
    const auto loss = moves.find(EventKind::loss);
    if (Rail{port.rail, port.plane} != lost.rail || loss == moves.end()) continue;
    noticed.push_back(loss_of(port, loss->second));
  }
  return noticed.empty() ? missing(window, lost.rail, lost.packets, *places_)
                         : blame(EventKind::loss, window, noticed, *places_);
}

void CounterWatch::remember(const Window& window) {
  last_.push_back({.number = window.number, .start = window.start, .ports = window.ports});
  if (last_.size() > PacketBalance::kMore + 1) last_.pop_front();
  std::erase_if(flaps_, [&](const Event& flap) { return flap.window < last_.front().number; });
}

std::vector<Event> CounterWatch::packets(const Window& window) {
  std::vector<Event> events;
  for (const Lost& lost : balance_.take(window, *places_)) events.push_back(told(lost));
  for (Event& event : Counts(window, *places_, balance_).events()) {
    events.push_back(std::move(event));
  }
  return events;
}

std::vector<Event> CounterWatch::take(const Window& window) {
  std::vector<Event> events;
  for (const PortSample& port : window.ports) look_at_link(window, port, events);
  remember(window);
  std::ranges::copy_if(events, std::back_inserter(flaps_),
                       [](const Event& event) { return event.kind == EventKind::flap; });
  for (Event& event : packets(window)) events.push_back(std::move(event));
  for (const PortSample& port : window.ports) add_others(window, port, *places_, events);
  add_wrong_data(window, *places_, events);
  name_cause(events, flaps_);
  return events;
}

std::vector<Event> CounterWatch::take(const Gap& gap) {
  Window window{.number = gap.after_window, .start = gap.from};
  for (const results::PortEvents& port : gap.counted) {
    PortSample sample{.host = port.host,
                      .device = port.device,
                      .port = port.port,
                      .rail = port.rail.value_or(0),
                      .plane = port.plane.value_or(0),
                      .address = port.address};
    for (const auto& [name, by] : port.moved) {
      const auto meaning = telemetry::meaning_of(name);
      const bool of_killing = !meaning || telemetry::is_of_busy_machine(*meaning) ||
                              meaning->counted == Counted::exhausted;
      if (by > 0 && !of_killing) sample.moved[name] = by;
    }
    window.ports.push_back(std::move(sample));
  }
  balance_.forget();
  std::vector<Event> events;
  for (const PortSample& port : window.ports) {
    const auto moves = moves_of(port, places_->software());
    if (!moves.contains(EventKind::flap)) continue;
    events.push_back(event_at(EventKind::flap, window, port));
    events.back().text = "the link of " + places_->name(port) + " went down";
    tell_counters(events.back(), moves.at(EventKind::flap));
  }
  for (Event& event : Counts(window, *places_, balance_).events())
    events.push_back(std::move(event));
  for (Event& event : events) event.text += "; while the soak did not run";
  return events;
}

}  // namespace railgauge::soak
