#include "runner/metrics/port_metrics.hpp"

#include <string_view>
#include <utility>

#include "runner/metrics/base_units.hpp"
#include "telemetry/counters.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::runner {
namespace {

using metrics::Kind;
using metrics::Labels;
using metrics::Metric;
using metrics::with;

constexpr Metric kPortInfo{.name = "railgauge_port_info",
                           .help = "Always 1: a port that is a rail, or a plane of one."};
constexpr Metric kPortLink{.name = "railgauge_port_link_bytes_per_second",
                           .help = "Speed of the port's link."};
constexpr Metric kPortEvents{
    .name = "railgauge_port_events_total",
    .kind = Kind::counter,
    .help =
        "What the port counted while something was measured, by what it means. A class that "
        "is not there cannot be counted by this port."};
constexpr Metric kPortEventSeconds{
    .name = "railgauge_port_events_seconds_total",
    .kind = Kind::counter,
    .help =
        "Time for which PFC pause frames stopped transmission. direction=sent: this port had to "
        "wait; direction=received: it made others wait."};

std::string_view word_of(finding::Direction direction) {
  switch (direction) {
    case finding::Direction::transmit: return "sent";
    case finding::Direction::receive: return "received";
    case finding::Direction::both: return "either";
  }
  return "";
}

/// A series, and what it grew by.
struct Growth {
  const Metric* metric;
  Labels labels;
  double by;
};

/// Empty for traffic, which is not exported, and for counters that nobody knows.
std::optional<Growth> growth_of(const Labels& port, const std::string& counter,
                                std::int64_t moved) {
  const auto meaning = telemetry::meaning_of(counter);
  if (!meaning || meaning->counted == telemetry::Counted::traffic) return std::nullopt;
  Labels labels = with(port, "class", telemetry::word(meaning->counted));
  const auto by = static_cast<double>(moved);
  if (!meaning->microseconds) return Growth{&kPortEvents, std::move(labels), by};
  labels = with(std::move(labels), "direction", word_of(meaning->direction));
  return Growth{&kPortEventSeconds, std::move(labels), seconds_of_microseconds(by)};
}

}  // namespace

std::string number_or_nothing(const std::optional<int>& number) {
  return number ? std::to_string(*number) : "";
}

void PortMetrics::add_ports(const std::vector<results::Rank>& ranks) {
  for (const results::Rank& rank : ranks) {
    for (const results::RankRail& rail : rank.rails) {
      const Labels labels = labels_of_port(rail, rank.host);
      registry_.set(kPortLink, labels, bytes_of_gigabits(rail.link_gigabits_per_second));
      registry_.set(kPortInfo,
                    with(with(labels, "netdev", rail.netdev), "kind", results::word(rail.kind)), 1);
    }
  }
}

void PortMetrics::add_classes(const Labels& port, const telemetry::Counters& counters) {
  for (const auto& [name, value] : counters) {
    if (const auto growth = growth_of(port, name, 0)) {
      registry_.add(*growth->metric, growth->labels, 0);
    }
  }
}

void PortMetrics::add(const Labels& port, const std::map<std::string, std::int64_t>& moved) {
  for (const auto& [name, by] : moved) {
    if (const auto growth = growth_of(port, name, by)) {
      registry_.add(*growth->metric, growth->labels, growth->by);
    }
  }
}

void PortMetrics::settle(const std::vector<results::PortCounters>& counters) {
  std::map<std::pair<std::string_view, Labels>, std::pair<const Metric*, double>> sums;
  for (const results::PortCounters& port : counters) {
    const Labels labels = labels_of_port(port);
    for (const auto& [name, by] : telemetry::moved(port.before, port.after)) {
      const auto growth = growth_of(labels, name, by);
      if (!growth || growth->by < 0) continue;
      auto& [metric, sum] = sums[{growth->metric->name, growth->labels}];
      metric = growth->metric;
      sum += growth->by;
    }
  }
  for (const auto& [series, total] : sums) {
    registry_.raise(*total.first, series.second, total.second);
  }
}

void PortMetrics::set_link(const Labels& port, double gigabits_per_second) {
  registry_.set(kPortLink, port, bytes_of_gigabits(gigabits_per_second));
}

}  // namespace railgauge::runner
