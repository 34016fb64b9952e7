#include "incast.hpp"

#include <string>

namespace railgauge::congestion {
namespace {

constexpr int kSamples = 100;
constexpr double kInterval = 0.01;
constexpr double kLine = 5;  // GB/s

PortSeries port_series(int host, double begin_s, bool sends) {
  PortSeries series{.port = nic_of(host), .counted = telemetry::CountedSignals().set()};
  for (int at = 0; at < kSamples; ++at) {
    const double begin = begin_s + at * kInterval;
    series.samples.push_back({.begin_s = begin,
                              .end_s = begin + kInterval,
                              .packets_sent = sends ? 100 : 0,
                              .packets_received = sends ? 0 : 400});
  }
  return series;
}

}  // namespace

finding::Endpoint nic_of(int host) {
  return {.host = "host" + std::to_string(host), .device = "mlx5_0", .port = 1, .rail = 0};
}

Step incast(double load, int senders, double begin_s) {
  Step step{.name = "load " + std::to_string(load), .load = load, .line_gbps = kLine};
  const double arrives = std::min(load, 1.0) * kLine / senders;
  step.ports.push_back(port_series(0, begin_s, false));
  for (int sender = 1; sender <= senders; ++sender) {
    step.ports.push_back(port_series(sender, begin_s, true));
    step.flows.push_back({.from = nic_of(sender),
                          .to = nic_of(0),
                          .offered_gbps = load * kLine / senders,
                          .gbps = arrives,
                          .longest_message_s = 0.001});
  }
  return step;
}

PortSeries& port_in(Step& step, int host) {
  return step.ports.at(static_cast<std::size_t>(host));
}

void plant(Step& step, int host, Signal signal, std::int64_t count, double from_s, double seconds) {
  for (Sample& sample : port_in(step, host).samples) {
    if (sample.begin_s >= from_s - kInterval / 2 && sample.begin_s < from_s + seconds)
      sample.counts.at(telemetry::index_of(signal)) = count;
  }
}

void plant_at_senders(Step& step, Signal signal, std::int64_t count, double from_s) {
  for (std::size_t host = 1; host < step.ports.size(); ++host)
    plant(step, static_cast<int>(host), signal, count, from_s);
}

void hide(Step& step, int host, Signal signal) {
  port_in(step, host).counted.reset(telemetry::index_of(signal));
}

void plant_ecn(Step& step, double from_s) {
  plant(step, 0, Signal::mark, 40, from_s);
  plant(step, 0, Signal::cnp_sent, 8, from_s);
  plant_at_senders(step, Signal::cnp_received, 2, from_s);
}

LinkSeries& add_link(Step& step, const char* from, const char* to, LinkSeries::Sample each,
                     int priority) {
  const std::string source(from);
  const std::string target(to);
  LinkSeries link{.from = source,
                  .to = target,
                  .priority = priority,
                  .from_host = source.starts_with("host"),
                  .to_host = target.starts_with("host")};
  constexpr int kLinkSamples = 50;
  for (int at = 0; at < kLinkSamples; ++at) {
    each.begin_s = step.ports.front().samples.front().begin_s + 2 * at * kInterval;
    each.end_s = each.begin_s + 2 * kInterval;
    link.samples.push_back(each);
  }
  step.links.push_back(std::move(link));
  return step.links.back();
}

}  // namespace railgauge::congestion
