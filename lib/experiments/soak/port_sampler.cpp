#include "experiments/soak/port_sampler.hpp"

#include <utility>

#include "cluster/port_counters.hpp"
#include "telemetry/port_condition.hpp"

namespace railgauge::runner {

PortSampler::PortSampler(const std::vector<results::Rank>& ranks, std::size_t rank) {
  for (const results::RankRail* rail : cluster::ports_read_by(ranks, rank)) {
    ports_.push_back({&ranks.at(rank), rail});
    ports_.back().last = ports_.back().read();
  }
}

std::vector<PortReading> PortSampler::next() {
  std::vector<PortReading> all;
  all.reserve(ports_.size());
  for (Port& port : ports_) all.push_back(port.next());
  return all;
}

telemetry::Counters PortSampler::Port::read() const {
  return cluster::counters_of(*rail);
}

/// A counter that cannot be read now is compared with its last value when it can be again.
PortReading PortSampler::Port::next() {
  telemetry::Counters now = read();
  auto condition = telemetry::read_condition(rail->device, rail->port);
  PortReading reading{.sample = {.host = rank->host,
                                 .device = rail->device,
                                 .port = rail->port,
                                 .rail = rail->rail,
                                 .plane = rail->plane,
                                 .address = rail->address,
                                 .counters_read = !now.empty(),
                                 .moved = telemetry::moved(last, now),
                                 .state = std::move(condition.state),
                                 .link_gigabits_per_second = condition.link_gigabits_per_second,
                                 .temperature_celsius = condition.temperature_celsius}};
  for (const auto& [name, value] : last) {
    if (now.contains(name)) continue;
    if (reading.sample.counters_read) reading.sample.unread.push_back(name);
    now.emplace(name, value);
  }
  last = std::move(now);
  reading.counters = last;
  return reading;
}

}  // namespace railgauge::runner
