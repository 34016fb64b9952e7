#include "soak/time_watch.hpp"

#include <algorithm>
#include <cmath>

#include "finding/words.hpp"
#include "measure/statistics.hpp"
#include "normal/others.hpp"

namespace railgauge::soak {
namespace {

using normal::Others;
using normal::Step;
using normal::StepDetector;

// On software devices times are those of a busy machine: only what is far out is found.
constexpr double kLeastShare = 0.004;  // of all phases together
constexpr double kLeastShareOfSoftware = 0.7;
constexpr double kTimesOfOnePhase = 8;  // that one phase alone has to be further out
constexpr double kLeastUs = 10;
constexpr double kLeastUsOfSoftware = 100;

constexpr int kQuietWindows = 10;

std::optional<double> time_of(const PortSample& port, std::size_t phase, bool sent) {
  const auto times = std::ranges::find(port.times, phase, &PortTimes::phase);
  if (times == port.times.end()) return std::nullopt;
  return sent ? times->sent_us : times->received_us;
}

/// In milliseconds from one on.
finding::Evidence time_evidence(double us) {
  constexpr double kMillisecond = 1000;
  const bool milliseconds = us >= kMillisecond;
  return {.metric = "increase of the chunk time",
          .unit = milliseconds ? "ms" : "us",
          .observed = us / (milliseconds ? kMillisecond : 1),
          .text = "other ports unchanged"};
}

}  // namespace

void TimeWatch::suspect(const Rail& rail, const Step& step, bool of_port) {
  if (quiet_.contains(rail)) return;
  const auto [place, is_new] = suspicions_.try_emplace(rail, Suspicion{step, of_port});
  Suspicion& known = place->second;
  known.of_port = known.of_port || of_port;
  if (!is_new && step.first_window < known.step.first_window) {
    known.step.first_window = step.first_window;
    known.step.begin = step.begin;
  }
}

/// Rails by the logarithm of how much longer than the others they take: shares, in effect.
void TimeWatch::take_rails(const Window& window, const PhaseSample& sample, Shares& shares) {
  std::vector<double> times;
  for (const RailSample& rail : sample.rails) {
    if (!(rail.p50_us > 0)) return;
    times.push_back(std::log(rail.p50_us));
  }
  if (times.size() < 2) return;
  const Others others(times);
  for (std::size_t at = 0; at < times.size(); ++at) {
    const Rail rail{static_cast<int>(sample.rails[at].rail), sample.rails[at].plane};
    const double share = times[at] - others.of(at);
    StepDetector& steps = phases_.try_emplace({sample.phase, rail}, places_->steps()).first->second;
    if (const auto level = steps.level()) shares[rail].push_back(share - *level);
    const double least = kTimesOfOnePhase * kLeastShare;
    const auto step = steps.take(window.number, share,
                                 places_->software() ? kLeastShareOfSoftware : least, window.start);
    if (step) suspect(rail, *step, false);
  }
}

/// What is slower in most phases differs more from the past than the noise of each.
void TimeWatch::take_shares(const Window& window, const Shares& shares) {
  const double least = places_->software() ? kLeastShareOfSoftware : kLeastShare;
  for (const auto& [rail, of_phases] : shares) {
    StepDetector& steps = rails_.try_emplace(rail, places_->steps()).first->second;
    const auto step = steps.take(window.number, measure::median(of_phases), least, window.start);
    if (step) suspect(rail, *step, false);
  }
}

void TimeWatch::take_ports(const Window& window, std::size_t phase, End end) {
  std::vector<const PortSample*> ports;
  std::vector<double> times;
  for (const PortSample& port : window.ports) {
    const auto time = time_of(port, phase, end == End::sender);
    if (!time) continue;
    ports.push_back(&port);
    times.push_back(*time);
  }
  if (ports.size() < 2) return;
  const Others others(times);
  for (std::size_t at = 0; at < ports.size(); ++at) {
    StepDetector& steps =
        ports_.try_emplace({key_of(*ports[at]), phase, end}, places_->steps()).first->second;
    const double usual = others.of(at);
    const double least = places_->software() ? std::max(kLeastUsOfSoftware, 1.5 * usual) : kLeastUs;
    const auto step = steps.take(window.number, times[at] - usual, least, window.start);
    if (step) suspect({ports[at]->rail, ports[at]->plane}, *step, true);
  }
}

double TimeWatch::excess_us(const PortSample& port, std::size_t phase, End end) const {
  const auto steps = ports_.find({key_of(port), phase, end});
  return steps == ports_.end() ? 0 : steps->second.excess();
}

double TimeWatch::excess_us(const PortSample& port, std::size_t phase) const {
  return excess_us(port, phase, End::sender) + excess_us(port, phase, End::receiver);
}

/// Where what one port sends and another receives became equally slower, it is the sender.
const PortSample* TimeWatch::slowest_port(const Window& window, const Rail& rail) const {
  constexpr double kSenderFirst = 1.1;
  const PortSample* slowest = nullptr;
  double most = 0;
  for (const PortSample& port : window.ports) {
    if (Rail{port.rail, port.plane} != rail) continue;
    double excess = 0;
    for (const PortTimes& times : port.times) {
      excess += kSenderFirst * excess_us(port, times.phase, End::sender) +
                excess_us(port, times.phase, End::receiver);
    }
    if (excess <= most) continue;
    most = excess;
    slowest = &port;
  }
  return slowest;
}

/// Whether the smallest messages wait as long as the largest.
TimeWatch::Growth TimeWatch::growth(const PortSample& port) const {
  std::vector<std::pair<std::uint64_t, double>> by_size;
  for (const PortTimes& times : port.times) {
    if (times.phase >= places_->plan().size()) continue;
    by_size.emplace_back(places_->plan()[times.phase].size_bytes, excess_us(port, times.phase));
  }
  if (by_size.empty()) return Growth::unknown;
  const auto [smallest, largest] = std::ranges::minmax_element(by_size);
  if (smallest->first == largest->first) return Growth::unknown;
  return smallest->second >= largest->second / 2 ? Growth::none : Growth::with_size;
}

const char* TimeWatch::with_growth(Growth growth) {
  switch (growth) {
    case Growth::none: return "";
    case Growth::with_size: return ", more for larger messages";
    case Growth::unknown: break;
  }
  return ", latency or bandwidth: all messages have one size";
}

double TimeWatch::longest_us(const PortSample& port) const {
  double longest = 0;
  for (const PortTimes& times : port.times) {
    for (const End end : {End::sender, End::receiver}) {
      longest = std::max(longest, excess_us(port, times.phase, end));
    }
  }
  return longest;
}

/// Whether all ports of a rail are about as late as its latest: then it is not that port. Of two
/// ports each has only the other to be late with.
bool TimeWatch::all_are_late(const Window& window, const Rail& rail,
                             const PortSample& latest) const {
  constexpr std::ptrdiff_t kFewest = 3;
  constexpr double kAbout = 0.5;
  const auto of_rail = [&](const PortSample& port) { return Rail{port.rail, port.plane} == rail; };
  const double most = longest_us(latest);
  return std::ranges::count_if(window.ports, of_rail) >= kFewest &&
         std::ranges::all_of(window.ports, [&](const PortSample& port) {
           return !of_rail(port) || longest_us(port) >= kAbout * most;
         });
}

/// By how much the rail takes longer than before, as a logarithm, at worst of its phases.
double TimeWatch::excess_of(const Rail& rail) const {
  double excess = 0;
  for (const auto& [place, steps] : phases_) {
    if (place.second == rail) excess = std::max(excess, steps.excess());
  }
  if (const auto steps = rails_.find(rail); steps != rails_.end())
    excess = std::max(excess, steps->second.excess());
  return excess;
}

/// Whether it decides, and if not, why.
void TimeWatch::judge(const Rail& rail, finding::Finding& finding) const {
  const double rate = 100 * std::exp(-excess_of(rail));  // what it carries in the same time
  const std::string limit = finding::number(places_->outage_percent()) + " %";
  const bool out = rate < places_->outage_percent();
  if (out) finding.severity = finding::Severity::error;
  finding.evidence.push_back(
      {.metric = "rate of the rail",
       .unit = "%",
       .observed = rate,
       .expected = 100,
       .expected_from = "its past",
       .text = out ? "below " + limit + ": an outage" : "not below " + limit + ": no outage"});
}

finding::Finding TimeWatch::finding_of(const Window& window, const Rail& rail,
                                       const Suspicion& suspicion) const {
  using finding::Cause;
  const PortSample* port = suspicion.of_port ? slowest_port(window, rail) : nullptr;
  if (port != nullptr && all_are_late(window, rail, *port)) port = nullptr;
  const Growth grown = port != nullptr ? growth(*port) : Growth::unknown;
  finding::Finding finding =
      found_since(suspicion.step, window, grown == Growth::none ? Cause::latency : Cause::bandwidth,
                  port != nullptr ? places_->port(*port) : places_->rail(rail.first, rail.second));
  finding.certainty = finding::Certainty::likely;
  if (port != nullptr) {
    finding.evidence = {time_evidence(longest_us(*port))};
    finding.evidence.front().text += with_growth(grown);
    finding.remedy = "check cable and switch port, and the path behind them";
  } else {
    finding.evidence = {{.metric = "increase of the transfer time",
                         .unit = "%",
                         .observed = 100 * std::expm1(excess_of(rail)),
                         .text = "other rails unchanged"}};
    finding.remedy = "check the switches of the rail";
  }
  judge(rail, finding);
  return finding;
}

/// Of a rail that is as before again, more can be found some windows later.
void TimeWatch::calm_down() {
  std::map<Rail, bool> raised;
  for (const auto& [place, steps] : phases_) raised[place.second] |= steps.is_raised();
  for (const auto& [rail, steps] : rails_) raised[rail] |= steps.is_raised();
  for (auto one = quiet_.begin(); one != quiet_.end();) {
    if (!raised[one->first]) --one->second;
    one = one->second > 0 ? std::next(one) : quiet_.erase(one);
  }
}

std::vector<finding::Finding> TimeWatch::take(const Window& window) {
  calm_down();
  Shares shares;
  for (const PhaseSample& sample : window.phases) {
    take_rails(window, sample, shares);
    take_ports(window, sample.phase, End::sender);
    take_ports(window, sample.phase, End::receiver);
  }
  take_shares(window, shares);
  std::vector<finding::Finding> findings;
  for (auto one = suspicions_.begin(); one != suspicions_.end();) {
    if (!one->second.of_port && one->second.windows++ == 0) {
      ++one;
      continue;
    }
    findings.push_back(finding_of(window, one->first, one->second));
    quiet_[one->first] = kQuietWindows;
    one = suspicions_.erase(one);
  }
  return findings;
}

}  // namespace railgauge::soak
