#include "congestion/observation.hpp"

#include <algorithm>

namespace railgauge::congestion {

std::string_view word(Observer observer) {
  switch (observer) {
    case Observer::nic: return "NIC";
    case Observer::network_switch: return "switch";
    case Observer::derived: return "derived";
  }
  return "";
}

bool sends(const Step& step, const finding::Endpoint& port) {
  return std::ranges::count(step.flows, port, &Flow::from) > 0;
}

bool receives(const Step& step, const finding::Endpoint& port) {
  return std::ranges::count(step.flows, port, &Flow::to) > 0;
}

const Flow* victim_of(const Step& step) {
  const auto found = std::ranges::find(step.flows, true, &Flow::victim);
  return found == step.flows.end() ? nullptr : &*found;
}

std::optional<double> jain_index(std::span<const double> values) {
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  if (squares <= 0) return std::nullopt;
  return sum * sum / (static_cast<double>(values.size()) * squares);
}

std::vector<const Flow*> rivals(const Step& step) {
  std::vector<const Flow*> flows;
  for (const Flow& flow : step.flows) {
    if (!flow.victim) flows.push_back(&flow);
  }
  return flows;
}

std::vector<double> shares(const Step& step) {
  std::vector<double> all;
  for (const Flow* const flow : rivals(step)) all.push_back(flow->gbps);
  return all;
}

std::optional<double> fairness(const Step& step) {
  const std::vector<double> all = shares(step);
  return all.size() < 2 ? std::nullopt : jain_index(all);
}

std::int64_t drops_on(const LinkSeries& link) {
  std::int64_t sum = 0;
  for (const auto& [reason, count] : link.drops) sum += count;
  return sum;
}

std::int64_t total(const PortSeries& port, Signal signal) {
  std::int64_t sum = 0;
  for (const Sample& sample : port.samples) sum += sample.counts[telemetry::index_of(signal)];
  return sum;
}

bool counts(const PortSeries& port, Signal signal) {
  return port.counted.test(telemetry::index_of(signal));
}

const PortSeries* port_of(const Step& step, const finding::Endpoint& port) {
  const auto found = std::ranges::find(step.ports, port, &PortSeries::port);
  return found == step.ports.end() ? nullptr : &*found;
}

std::int64_t pauses_at(const Step& step, const finding::Endpoint& host, bool sent) {
  std::int64_t sum = 0;
  for (const LinkSeries& link : step.links) {
    if (sent ? !link.to_host || link.to != host.host : !link.from_host || link.from != host.host)
      continue;
    for (const auto& sample : link.samples)
      sum += sent ? sample.pauses_received : sample.pauses_sent;
  }
  const PortSeries* const series = port_of(step, host);
  if (switches_know_all(step) || series == nullptr) return sum;
  return total(*series, sent ? Signal::pause_sent : Signal::pause_received);
}

}  // namespace railgauge::congestion
