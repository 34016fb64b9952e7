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

}  // namespace railgauge::congestion
