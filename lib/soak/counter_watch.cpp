#include "soak/counter_watch.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::soak {
namespace {

using finding::Cause;
using finding::Direction;
using finding::Evidence;
using finding::Finding;
using telemetry::Counted;
using telemetry::Meaning;

/// Empty for what happens on a healthy fabric, too.
std::optional<Cause> cause_of(const Meaning& meaning) {
  if (meaning.microseconds) return std::nullopt;
  switch (meaning.counted) {
    case Counted::loss:
      return meaning.direction == Direction::both ? Cause::retransmission : Cause::packet_loss;
    case Counted::repetition: return Cause::retransmission;
    case Counted::exhausted: return Cause::packet_loss;
    case Counted::corruption:
    case Counted::physical: return Cause::corruption;
    case Counted::link: return Cause::link_down;
    default:
      return telemetry::is_fault(meaning.counted) ? std::optional(Cause::other) : std::nullopt;
  }
}

using Counters = std::map<std::string, std::int64_t>;

/// What a port counted of packets that did not arrive whole.
struct PortLoss {
  const PortSample* port = nullptr;
  std::int64_t sent = 0;      // packets that it sent; the highest counter
  std::int64_t received = 0;  // that were sent to it
  std::int64_t either = 0;    // with an unknown direction
  Counters counters{};

  [[nodiscard]] std::int64_t most() const { return std::max({sent, received, either}); }
  [[nodiscard]] finding::Direction direction() const {
    if (received > 0) return finding::Direction::receive;
    return sent > 0 ? finding::Direction::transmit : finding::Direction::both;
  }
};

/// What a port counted, by its cause; counters that were reset are not among it.
std::map<Cause, PortLoss> losses_of(const PortSample& port, bool software) {
  std::map<Cause, PortLoss> all;
  for (const auto& [name, by] : port.moved) {
    const auto meaning = telemetry::meaning_of(name);
    if (by <= 0 || !meaning) continue;
    if (software && telemetry::is_of_busy_machine(*meaning)) continue;
    const auto cause = cause_of(*meaning);
    if (!cause) continue;
    PortLoss& loss = all[*cause];
    loss.port = &port;
    std::int64_t& most = meaning->direction == Direction::transmit  ? loss.sent
                         : meaning->direction == Direction::receive ? loss.received
                                                                    : loss.either;
    most = std::max(most, by);
    loss.counters[name] = by;
  }
  return all;
}

using Losses = std::vector<PortLoss>;  // of the ports of a rail
using LossesOfRails = std::map<RailKey, std::map<Cause, Losses>>;

LossesOfRails losses_of(const Window& window, bool software) {
  LossesOfRails all;
  for (const PortSample& port : window.ports) {
    for (auto& [cause, loss] : losses_of(port, software))
      all[{port.rail, port.plane}][cause].push_back(std::move(loss));
  }
  return all;
}

Losses with(const Losses& losses, std::int64_t PortLoss::*direction) {
  Losses found;
  std::ranges::copy_if(losses, std::back_inserter(found),
                       [&](const PortLoss& one) { return one.*direction > 0; });
  return found;
}

const char* metric_of(Cause cause) {
  switch (cause) {
    case Cause::corruption: return "packets with a wrong checksum";
    case Cause::retransmission: return "retransmitted packets";
    default: return "lost packets";
  }
}

/// What one port counted, which speaks for the place.
Finding found_at(finding::Location where, Cause cause, const Window& window, const PortLoss& loss,
                 std::int64_t packets) {
  Finding finding = found_in(window, cause, std::move(where));
  finding.evidence = {Evidence{.metric = metric_of(cause),
                               .observed = static_cast<double>(packets),
                               .counters = loss.counters}};
  return finding;
}

/// Of several ports no counter tells which it is: that with most of it, or else another. If most of
/// a larger rail count it, it is the rail.
Finding at_several(Cause cause, const Window& window, Losses ports, const Places& places) {
  constexpr std::size_t kMostNamed = 4;
  std::ranges::stable_sort(ports, std::greater{}, &PortLoss::most);
  const PortLoss& most = ports.front();
  Finding finding =
      found_at(places.port(*most.port, most.direction()), cause, window, most, most.most());
  if (ports.size() <= kMostNamed) {
    for (auto other = std::next(ports.begin()); other != ports.end(); ++other)
      finding.alternatives.push_back(places.port(*other->port, other->direction()));
    return finding;
  }
  finding.evidence.front().text =
      "on " + finding::counted(ports.size(), "port") + ", most at " + in_words(finding.where);
  finding.where = places.rail(most.port->rail, most.port->plane);
  finding.remedy = "check the switches of the rail";
  return finding;
}

/// At the smallest place that explains what the ports of one rail counted in a window: the port to
/// which packets were sent, the one that sent them, the path between these, or several.
Finding located(Cause cause, const Window& window, const Losses& ports, const Places& places) {
  const Losses to = with(ports, &PortLoss::received);
  const Losses from = with(ports, &PortLoss::sent);
  if (to.size() == 1 && from.size() == 1 && to.front().port != from.front().port) {
    Finding finding = found_at(places.path(*from.front().port, *to.front().port), cause, window,
                               to.front(), to.front().received);
    finding.remedy = "check cables and switch ports of the path";
    return finding;
  }
  if (to.size() != 1 && from.size() != 1) return at_several(cause, window, ports, places);
  const PortLoss& one = to.size() == 1 ? to.front() : from.front();
  const bool receives = to.size() == 1;
  return found_at(
      places.port(*one.port, receives ? finding::Direction::receive : finding::Direction::transmit),
      cause, window, one, receives ? one.received : one.sent);
}

std::int64_t most_lost(const std::map<Cause, Losses>& rail, Cause cause) {
  std::int64_t most = 0;
  const auto found = rail.find(cause);
  if (found == rail.end()) return most;
  for (const PortLoss& one : found->second) most = std::max(most, one.most());
  return most;
}

/// Whether the ports of a rail only saw gaps, and nobody sent anything again.
bool only_overtaken(const std::map<Cause, Losses>& rail) {
  return std::ranges::all_of(
             rail.at(Cause::packet_loss),
             [](const PortLoss& one) { return telemetry::only_overtaken({}, one.counters); }) &&
         !rail.contains(Cause::retransmission);
}

/// Whether a worse cause explains it. `balanced`: every packet of the rail is counted, and gaps in
/// what arrives are no loss.
bool is_explained(Cause cause, const std::map<Cause, Losses>& rail, bool balanced) {
  const bool corrupted = rail.contains(Cause::corruption);
  if (cause == Cause::retransmission) return corrupted || rail.contains(Cause::packet_loss);
  if (cause != Cause::packet_loss) return false;
  return balanced || only_overtaken(rail) ||
         most_lost(rail, Cause::packet_loss) <= most_lost(rail, Cause::corruption);
}

/// Worst first, without what follows from worse.
std::vector<Finding> counted(const Window& window, const Places& places,
                             const PacketBalance& balance) {
  const LossesOfRails rails = losses_of(window, places.software());
  std::vector<Finding> all;
  for (const Cause cause : {Cause::corruption, Cause::packet_loss, Cause::retransmission}) {
    for (const auto& [rail, losses] : rails) {
      if (!losses.contains(cause) || is_explained(cause, losses, balance.knows(rail))) continue;
      all.push_back(located(cause, window, losses.at(cause), places));
    }
  }
  return all;
}

/// Ports of that rail with that cause.
Losses noticed(const Window& window, const RailKey& rail, Cause cause, bool software) {
  LossesOfRails all = losses_of(window, software);
  return std::move(all[rail][cause]);
}

Finding counted_at(const Window& window, Cause cause, const PortSample& port, const Places& places,
                   const Counters& counters) {
  Finding finding = found_in(window, cause, places.port(port));
  finding.evidence = {{.counters = counters}};
  return finding;
}

/// What is of a port alone, and not of packets between two.
void add_others(const Window& window, const PortSample& port, const Places& places,
                std::vector<Finding>& findings) {
  const auto losses = losses_of(port, places.software());
  if (const auto other = losses.find(Cause::other); other != losses.end()) {
    findings.push_back(counted_at(window, Cause::other, port, places, other->second.counters));
    findings.back().detail = "error counters increased";
  }
  Counters back;
  for (const auto& [name, by] : port.moved) {
    if (by < 0) back[name] = by;
  }
  if (!back.empty())
    findings.push_back(counted_at(window, Cause::counter_reset, port, places, back));
}

/// Where the phase ran, as long as nothing is traced: on all planes of its rail.
finding::Location place_of(const PhaseSample& sample, const Places& places) {
  const bool known = sample.phase < places.plan().size();
  if (known && places.plan()[sample.phase].rails.size() == 1)
    return {.scope = finding::Scope::rail,
            .at = {.rail = static_cast<int>(places.plan()[sample.phase].rails.front())}};
  return {};
}

Finding wrong_data(const Window& window, const PhaseSample& sample, const Places& places) {
  Finding finding = found_in(window, Cause::wrong_data, place_of(sample, places));
  Evidence elements{.metric = "wrong elements", .observed = static_cast<double>(sample.wrong)};
  if (sample.phase < places.plan().size()) {
    const Phase& phase = places.plan()[sample.phase];
    elements.text =
        "in " + phase.collective + " of " + measure::format_size(phase.size_bytes) + " bytes";
  }
  if (sample.findings.empty() && !sample.data_errors.empty())
    elements.text += (elements.text.empty() ? "" : ": ") + sample.data_errors.front();
  finding.evidence = {std::move(elements)};
  return finding;
}

/// As far as the verification traced them.
void add_wrong_data(const Window& window, const Places& places, std::vector<Finding>& findings) {
  for (const PhaseSample& sample : window.phases) {
    if (sample.wrong == 0) continue;
    Finding finding = wrong_data(window, sample, places);
    if (!sample.findings.empty()) {
      const Finding& traced = sample.findings.front();
      finding.where = traced.where;
      finding.alternatives = traced.alternatives;
      finding.detail = traced.detail;
      finding.evidence.insert(finding.evidence.end(), traced.evidence.begin(),
                              traced.evidence.end());
    }
    findings.push_back(std::move(finding));
  }
}

bool is_down(const std::string& state) {
  return !state.empty() && state != "ACTIVE";
}

bool same_rail(const Finding& one, const Finding& other) {
  return one.where.at.rail == other.where.at.rail && one.where.at.plane == other.where.at.plane;
}

/// Packets that were lost while a link of their rail went down.
void name_flaps(std::vector<Finding>& findings, const std::vector<Finding>& flaps) {
  for (Finding& finding : findings) {
    if (finding.cause != Cause::packet_loss && finding.cause != Cause::retransmission) continue;
    const auto flap = std::ranges::find_if(flaps, [&](const Finding& one) {
      return one.when->window == finding.when->window && same_rail(one, finding);
    });
    if (flap == flaps.end()) continue;
    finding.evidence.push_back({.text = "the link of " + in_words(flap->where) + " went down"});
    finding.remedy = "repair that link first";
  }
}

/// A run that is killed leaves time-outs and exhausted retries.
bool is_of_killing(const std::string& name) {
  const auto meaning = telemetry::meaning_of(name);
  return !meaning || telemetry::is_of_busy_machine(*meaning) ||
         meaning->counted == Counted::exhausted;
}

/// What was counted in a gap, as a window.
Window window_of(const Gap& gap) {
  Window window{.number = gap.after_window, .start = gap.from};
  window.length_s = std::chrono::duration<double>(gap.to - gap.from).count();
  for (const results::PortEvents& port : gap.counted) {
    PortSample sample{.host = port.host,
                      .device = port.device,
                      .port = port.port,
                      .rail = port.rail.value_or(0),
                      .plane = port.plane.value_or(0),
                      .address = port.address};
    for (const auto& [name, by] : port.moved) {
      if (by > 0 && !is_of_killing(name)) sample.moved[name] = by;
    }
    window.ports.push_back(std::move(sample));
  }
  return window;
}

}  // namespace

void CounterWatch::look_at_link(const Window& window, const PortSample& port,
                                std::vector<Finding>& findings) {
  Link& link = links_[key_of(port)];
  auto losses = losses_of(port, places_->software());
  const bool went_down = is_down(port.state) && !is_down(link.state);
  if (losses.contains(Cause::link_down) || went_down) {
    findings.push_back(
        counted_at(window, Cause::link_down, port, *places_, losses[Cause::link_down].counters));
    if (is_down(port.state)) findings.back().evidence.front().text = "port state " + port.state;
  }
  look_at_speed(window, port, link, findings);
  if (!port.state.empty()) link.state = port.state;
}

void CounterWatch::look_at_speed(const Window& window, const PortSample& port, Link& link,
                                 std::vector<Finding>& findings) const {
  const auto& now = port.link_gigabits_per_second;
  if (!now || is_down(port.state)) return;
  if (link.gigabits_per_second && *link.gigabits_per_second != *now) {
    findings.push_back(found_in(window, Cause::link_speed, places_->port(port)));
    findings.back().detail = "link speed changed";
    findings.back().evidence = {{.metric = "link speed",
                                 .unit = "Gb/s",
                                 .observed = now,
                                 .expected = link.gigabits_per_second,
                                 .expected_from = "the window before"}};
    findings.back().remedy = "check cable, transceiver and settings of the switch port";
  }
  link.gigabits_per_second = now;
}

/// At those that miss packets; else at those that sent again; else nothing tells more than the
/// rail. The balance knows how many: counters of gaps also count what came late.
Finding CounterWatch::finding_of(const Lost& lost) const {
  const auto found = std::ranges::find(last_, lost.window, &Window::number);
  const Window& window = found == last_.end() ? last_.back() : *found;
  const Losses missed = noticed(window, lost.rail, Cause::packet_loss, places_->software());
  const Losses again = noticed(window, lost.rail, Cause::retransmission, false);
  Finding finding = !missed.empty()  ? located(Cause::packet_loss, window, missed, *places_)
                    : !again.empty() ? at_several(Cause::packet_loss, window, again, *places_)
                                     : found_in(window, Cause::packet_loss,
                                                places_->rail(lost.rail.first, lost.rail.second));
  if (finding.evidence.empty()) finding.evidence.emplace_back();
  Evidence& evidence = finding.evidence.front();
  evidence.metric = "packets sent and never received";
  evidence.observed = static_cast<double>(lost.packets);
  return finding;
}

void CounterWatch::remember(const Window& window) {
  last_.push_back({.number = window.number,
                   .start = window.start,
                   .length_s = window.length_s,
                   .ports = window.ports});
  if (last_.size() > PacketBalance::kMore + 1) last_.pop_front();
  std::erase_if(flaps_,
                [&](const Finding& flap) { return *flap.when->window < last_.front().number; });
}

std::vector<Finding> CounterWatch::packets(const Window& window) {
  std::vector<Finding> findings;
  for (const Lost& lost : balance_.take(window, *places_)) findings.push_back(finding_of(lost));
  for (Finding& finding : counted(window, *places_, balance_))
    findings.push_back(std::move(finding));
  return findings;
}

std::vector<Finding> CounterWatch::take(const Window& window) {
  std::vector<Finding> findings;
  for (const PortSample& port : window.ports) look_at_link(window, port, findings);
  remember(window);
  std::ranges::copy_if(findings, std::back_inserter(flaps_),
                       [](const Finding& one) { return one.cause == Cause::link_down; });
  for (Finding& finding : packets(window)) findings.push_back(std::move(finding));
  for (const PortSample& port : window.ports) add_others(window, port, *places_, findings);
  add_wrong_data(window, *places_, findings);
  name_flaps(findings, flaps_);
  return findings;
}

std::vector<Finding> CounterWatch::take(const Gap& gap) {
  const Window window = window_of(gap);
  balance_.forget();
  std::vector<Finding> findings;
  for (const PortSample& port : window.ports) {
    const auto losses = losses_of(port, places_->software());
    const auto down = losses.find(Cause::link_down);
    if (down == losses.end()) continue;
    findings.push_back(counted_at(window, Cause::link_down, port, *places_, down->second.counters));
  }
  for (Finding& finding : counted(window, *places_, balance_))
    findings.push_back(std::move(finding));
  for (Finding& finding : findings)
    finding.evidence.push_back({.text = "while the soak was interrupted"});
  return findings;
}

}  // namespace railgauge::soak
