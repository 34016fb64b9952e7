#include "soak/time_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "measure/statistics.hpp"

namespace railgauge::soak {
namespace {

// On software devices times are those of a busy machine: only what is far out is told.
constexpr double kLeastShare = 0.004;  // of all phases together
constexpr double kLeastShareOfSoftware = 0.7;
constexpr double kTimesOfOnePhase = 8;  // that one phase alone has to be further out
constexpr double kLeastUs = 10;
constexpr double kLeastUsOfSoftware = 100;

constexpr int kQuietWindows = 10;

/// What one of these is held against: the median of all, or of two the other.
class Others {
 public:
  explicit Others(std::vector<double> values)
      : values_(std::move(values)), median_(measure::median(values_)) {}

  [[nodiscard]] double of(std::size_t one) const {
    return values_.size() == 2 ? values_[1 - one] : median_;
  }
  [[nodiscard]] double median() const { return median_; }

 private:
  std::vector<double> values_;
  double median_;
};

std::optional<double> time_of(const PortSample& port, std::size_t phase, bool sent) {
  const auto times = std::ranges::find(port.times, phase, &PortTimes::phase);
  if (times == port.times.end()) return std::nullopt;
  return sent ? times->sent_us : times->received_us;
}

/// To three digits.
std::string rounded(double value, const char* unit) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value < 1000 ? "%.3g %s" : "%.0f %s", value, unit);
  return text.data();
}

std::string duration(double us) {
  constexpr double kMillisecond = 1000;
  return us < kMillisecond ? rounded(us, "us") : rounded(us / kMillisecond, "ms");
}

}  // namespace

void TimeWatch::remember_start(const Window& window) {
  starts_[window.number] = window.start;
  if (starts_.size() > StepDetector::kStartsKept) starts_.erase(starts_.begin());
}

void TimeWatch::suspect(const Rail& rail, const Step& step, bool of_port) {
  if (quiet_.contains(rail)) return;
  const auto [place, is_new] = suspicions_.try_emplace(rail, Suspicion{step, of_port});
  Suspicion& known = place->second;
  known.of_port = known.of_port || of_port;
  if (!is_new && step.first_window < known.step.first_window) {
    known.step.first_window = step.first_window;
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
    const auto step =
        steps.take(window.number, share, places_->software() ? kLeastShareOfSoftware : least);
    if (step) suspect(rail, *step, false);
  }
}

/// What is slower in most phases stands out further from the noise of each.
void TimeWatch::take_shares(const Window& window, const Shares& shares) {
  const double least = places_->software() ? kLeastShareOfSoftware : kLeastShare;
  for (const auto& [rail, of_phases] : shares) {
    StepDetector& steps = rails_.try_emplace(rail, places_->steps()).first->second;
    const auto step = steps.take(window.number, measure::median(of_phases), least);
    if (step) suspect(rail, *step, false);
  }
}

void TimeWatch::take_ports(const Window& window, std::size_t phase, Way way) {
  std::vector<const PortSample*> ports;
  std::vector<double> times;
  for (const PortSample& port : window.ports) {
    const auto time = time_of(port, phase, way == Way::sent);
    if (!time) continue;
    ports.push_back(&port);
    times.push_back(*time);
  }
  if (ports.size() < 2) return;
  const Others others(times);
  const double least =
      places_->software() ? std::max(kLeastUsOfSoftware, 1.5 * others.median()) : kLeastUs;
  for (std::size_t at = 0; at < ports.size(); ++at) {
    StepDetector& steps =
        ports_.try_emplace({key_of(*ports[at]), phase, way}, places_->steps()).first->second;
    const auto step = steps.take(window.number, times[at] - others.of(at), least);
    if (step) suspect({ports[at]->rail, ports[at]->plane}, *step, true);
  }
}

double TimeWatch::excess_us(const PortSample& port, std::size_t phase, Way way) const {
  const auto steps = ports_.find({key_of(port), phase, way});
  return steps == ports_.end() ? 0 : steps->second.excess();
}

double TimeWatch::excess_us(const PortSample& port, std::size_t phase) const {
  return excess_us(port, phase, Way::sent) + excess_us(port, phase, Way::received);
}

/// Where what one port sends and another receives got as much slower, the sender is named.
const PortSample* TimeWatch::slowest_port(const Window& window, const Rail& rail) const {
  constexpr double kSenderFirst = 1.1;
  const PortSample* slowest = nullptr;
  double most = 0;
  for (const PortSample& port : window.ports) {
    if (Rail{port.rail, port.plane} != rail) continue;
    double excess = 0;
    for (const PortTimes& times : port.times) {
      excess += kSenderFirst * excess_us(port, times.phase, Way::sent) +
                excess_us(port, times.phase, Way::received);
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
    case Growth::with_size: return "; the more the larger the message";
    case Growth::unknown: break;
  }
  return "; as it has messages of one size only, this may be latency or a lower rate";
}

double TimeWatch::longest_us(const PortSample& port) const {
  double longest = 0;
  for (const PortTimes& times : port.times) {
    for (const Way way : {Way::sent, Way::received}) {
      longest = std::max(longest, excess_us(port, times.phase, way));
    }
  }
  return longest;
}

Event TimeWatch::told(const Window& window, const Rail& rail, const Suspicion& suspicion) const {
  const PortSample* const port = suspicion.of_port ? slowest_port(window, rail) : nullptr;
  const Growth grown = port != nullptr ? growth(*port) : Growth::unknown;
  const EventKind kind = grown == Growth::none ? EventKind::latency_step : EventKind::slow_rail;
  Event event = port != nullptr ? event_at(kind, window, *port) : event_in(kind, window);
  event.window = suspicion.step.first_window;
  if (const auto start = starts_.find(event.window); start != starts_.end()) {
    event.when = start->second;
  }
  event.rail = rail.first;
  event.plane = rail.second;
  const std::string name = places_->rail_name(rail.first, rail.second);
  if (port == nullptr) {
    const double percent = 100 * std::expm1(suspicion.step.by);
    event.text = name + " takes " + rounded(percent, "%") + " longer than before, the others not";
  } else {
    event.cause = "cable or port of " + places_->name(*port) + ", or the path behind it";
    event.text = "chunks of " + places_->name(*port) + " take " + duration(longest_us(*port)) +
                 " longer than before, those of others not" + with_growth(grown);
  }
  return event;
}

/// Of a rail that is as before again, it may be told anew some windows later.
void TimeWatch::calm_down() {
  std::map<Rail, bool> raised;
  for (const auto& [place, steps] : phases_) raised[place.second] |= steps.is_raised();
  for (const auto& [rail, steps] : rails_) raised[rail] |= steps.is_raised();
  for (auto one = quiet_.begin(); one != quiet_.end();) {
    if (!raised[one->first]) --one->second;
    one = one->second > 0 ? std::next(one) : quiet_.erase(one);
  }
}

std::vector<Event> TimeWatch::take(const Window& window) {
  remember_start(window);
  calm_down();
  Shares shares;
  for (const PhaseSample& sample : window.phases) {
    take_rails(window, sample, shares);
    take_ports(window, sample.phase, Way::sent);
    take_ports(window, sample.phase, Way::received);
  }
  take_shares(window, shares);
  std::vector<Event> events;
  for (auto one = suspicions_.begin(); one != suspicions_.end();) {
    if (!one->second.of_port && one->second.windows++ == 0) {
      ++one;
      continue;
    }
    events.push_back(told(window, one->first, one->second));
    quiet_[one->first] = kQuietWindows;
    one = suspicions_.erase(one);
  }
  return events;
}

}  // namespace railgauge::soak
