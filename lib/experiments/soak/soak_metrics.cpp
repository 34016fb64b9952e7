#include "experiments/soak/soak_metrics.hpp"

#include <array>
#include <map>
#include <utility>

#include "results/sweep_point.hpp"
#include "runner/metrics/base_units.hpp"
#include "soak/watcher.hpp"

namespace railgauge::runner {
namespace {

using metrics::Kind;
using metrics::Labels;
using metrics::Metric;
using metrics::with;

constexpr Metric kSoakInfo{.name = "railgauge_soak_info", .help = "Always 1: which soak it is."};
constexpr Metric kSoakDuration{.name = "railgauge_soak_duration_seconds",
                               .help = "Duration of the soak, without gaps."};
constexpr Metric kSoakMeasured{.name = "railgauge_soak_measured_seconds_total",
                               .kind = Kind::counter,
                               .help = "Length of all windows so far."};
constexpr Metric kSoakWindows{.name = "railgauge_soak_windows_total",
                              .kind = Kind::counter,
                              .help = "Windows that are complete."};
constexpr Metric kSoakGaps{.name = "railgauge_soak_gaps_total",
                           .kind = Kind::counter,
                           .help = "Interruptions between two runs of the soak."};
constexpr Metric kSoakLostWindows{.name = "railgauge_soak_lost_windows_total",
                                  .kind = Kind::counter,
                                  .help = "Windows that were lost in gaps."};
constexpr Metric kSoakEvents{.name = "railgauge_soak_events_total",
                             .kind = Kind::counter,
                             .help = "Findings in all windows, by cause."};
constexpr Metric kSoakEventTime{.name = "railgauge_soak_event_timestamp_seconds",
                                .help =
                                    "End of the last window with such a finding, by cause and "
                                    "place."};
constexpr Metric kSoakErrorRate{
    .name = "railgauge_soak_bit_error_ratio_bound",
    .help = "Upper bound of the bit error rate (95 % confidence); absent after an error."};
constexpr Metric kSoakIterations{.name = "railgauge_soak_iterations_total",
                                 .kind = Kind::counter,
                                 .help = "Iterations of a phase."};
constexpr Metric kSoakVerified{.name = "railgauge_soak_verified_iterations_total",
                               .kind = Kind::counter,
                               .help = "Iterations of a phase whose result was verified."};
constexpr Metric kSoakWrong{.name = "railgauge_soak_wrong_elements_total",
                            .kind = Kind::counter,
                            .help = "Elements with a wrong value, over all ranks."};
constexpr Metric kSoakPercentile{
    .name = "railgauge_soak_iteration_percentile_seconds",
    .help =
        "Time of an iteration in the last window: the median (50), 99, 99.9, the longest (100)."};
constexpr Metric kSoakBandwidth{
    .name = "railgauge_soak_bus_bandwidth_bytes_per_second",
    .help = "Bus bandwidth of a phase in the last window, at its median."};
constexpr Metric kSoakRailBandwidth{.name = "railgauge_soak_rail_bus_bandwidth_bytes_per_second",
                                    .help = "The share of one rail, or of one plane of it."};
constexpr Metric kSoakSlower{.name = "railgauge_soak_completion_time_ratio",
                             .help = "Median of the last window over that of the first hour."};
constexpr Metric kPortUp{
    .name = "railgauge_port_up",
    .help = "Whether the port was ACTIVE at the end of the soak's last window."};
constexpr Metric kCountersRead{
    .name = "railgauge_port_counters_read",
    .help =
        "Whether all counters of the port could be read in the soak's last "
        "window. If not, nothing is known of the others."};
constexpr Metric kPortTemperature{.name = "railgauge_port_temperature_celsius",
                                  .help = "The device's hottest sensor, where there is one."};
constexpr Metric kProcessMemory{.name = "railgauge_process_resident_bytes",
                                .help = "Resident memory of all ranks of a host."};
constexpr Metric kProcessDescriptors{.name = "railgauge_process_open_descriptors",
                                     .help = "File descriptors of all ranks of a host."};
constexpr Metric kProcessProcessors{
    .name = "railgauge_process_busy_processors",
    .help = "Processors kept busy by the ranks of a host, on average."};

Labels cause_label(finding::Cause cause) {
  return {{"cause", std::string(word(cause))}};
}

}  // namespace

void SoakMetrics::take(const soak::Line& line) {
  std::visit([this](const auto& held) { add(held); }, line);
}

/// Until something happens everything is 0, so that the first event is growth.
void SoakMetrics::add(const soak::Header& header) {
  header_ = header;
  registry_.set(kSoakInfo, {{"run", header.run}}, 1);
  registry_.set(kSoakDuration, {}, header.duration_s);
  for (const Metric* counter : {&kSoakMeasured, &kSoakWindows, &kSoakGaps, &kSoakLostWindows}) {
    registry_.add(*counter, {}, 0);
  }
  for (std::size_t phase = 0; phase < header.plan.size(); ++phase) {
    for (const Metric* counter : {&kSoakIterations, &kSoakVerified, &kSoakWrong}) {
      registry_.add(*counter, labels_of_phase(phase), 0);
    }
  }
  for (const finding::Cause cause : soak::kCauses)
    registry_.add(kSoakEvents, cause_label(cause), 0);
  ports_.add_ports(header.ranks);
  run_.metrics().set_verdict("soak", "UNKNOWN");
}

void SoakMetrics::add(const soak::Window& window) {
  registry_.add(kSoakWindows, {}, 1);
  registry_.add(kSoakMeasured, {}, window.length_s);
  window_end_ = window.end();
  run_.metrics().set_last_sample(window_end_);
  for (const soak::PhaseSample& sample : window.phases) add(sample);
  for (const soak::PortSample& sample : window.ports) add(sample);
  add(window.ranks);
}

void SoakMetrics::add(const soak::PortSample& sample) {
  const Labels labels = labels_of_port(sample);
  registry_.set(kCountersRead, labels, sample.counters_read && sample.unread.empty() ? 1 : 0);
  if (!sample.state.empty()) registry_.set(kPortUp, labels, sample.state == "ACTIVE" ? 1 : 0);
  if (sample.link_gigabits_per_second) ports_.set_link(labels, *sample.link_gigabits_per_second);
  if (sample.temperature_celsius) {
    registry_.set(kPortTemperature, labels, *sample.temperature_celsius);
  }
  ports_.add(labels, sample.moved);
}

void SoakMetrics::add(const std::vector<soak::RankSample>& ranks) {
  std::map<std::string, std::array<double, 3>> hosts;
  for (const soak::RankSample& sample : ranks) {
    auto& [memory, descriptors, processors] = hosts[host_of(sample.load.rank)];
    memory += static_cast<double>(sample.resident_bytes);
    descriptors += static_cast<double>(sample.descriptors);
    processors += sample.processors;
  }
  for (const auto& [host, sums] : hosts) {
    registry_.set(kProcessMemory, {{"host", host}}, sums[0]);
    registry_.set(kProcessDescriptors, {{"host", host}}, sums[1]);
    registry_.set(kProcessProcessors, {{"host", host}}, sums[2]);
  }
}

void SoakMetrics::add(const soak::PhaseSample& sample) {
  const Labels labels = labels_of_phase(sample.phase);
  registry_.add(kSoakIterations, labels, static_cast<double>(sample.iterations));
  registry_.add(kSoakVerified, labels, static_cast<double>(sample.verified));
  registry_.add(kSoakWrong, labels, static_cast<double>(sample.wrong));
  run_.metrics().judge_data(sample.verified > 0, sample.wrong > 0);
  registry_.set(kSoakBandwidth, labels, bytes_of_gigabytes(sample.busbw_gigabytes_per_second));
  if (sample.phase < header_.plan.size()) {
    const soak::Phase& phase = header_.plan[sample.phase];  // a window has quantiles, and no mean
    run_.operation({phase.collective, phase.algorithm, phase.size_bytes, sample.p50_us,
                    sample.busbw_gigabytes_per_second});
  }
  if (sample.jct_ratio) registry_.set(kSoakSlower, labels, *sample.jct_ratio);
  for (const auto& [percentile, us] :
       {std::pair{"50", sample.p50_us}, std::pair{"99", sample.p99_us},
        std::pair{"99.9", sample.p999_us}, std::pair{"100", sample.slowest.us}}) {
    registry_.set(kSoakPercentile, with(labels, "percentile", percentile),
                  seconds_of_microseconds(us));
  }
  for (const soak::RailSample& rail : sample.rails) {
    registry_.set(
        kSoakRailBandwidth,
        with(with(labels, "rail", std::to_string(rail.rail)), "plane", std::to_string(rail.plane)),
        bytes_of_gigabytes(rail.busbw_gigabytes_per_second));
  }
}

/// Of a path its sender is named.
void SoakMetrics::add(const finding::Finding& finding) {
  const finding::Endpoint& at = finding.where.at;
  registry_.add(kSoakEvents, cause_label(finding.cause), 1);
  registry_.set(kSoakEventTime,
                {{"cause", std::string(word(finding.cause))},
                 {"host", at.host},
                 {"device", at.device},
                 {"rail", number_or_nothing(at.rail)},
                 {"plane", number_or_nothing(at.plane)}},
                unix_seconds(window_end_));
}

void SoakMetrics::add(const soak::Gap& gap) {
  registry_.add(kSoakGaps, {}, 1);
  registry_.add(kSoakLostWindows, {}, static_cast<double>(gap.lost_windows));
  for (const results::PortEvents& port : gap.counted) ports_.add(labels_of_port(port), port.moved);
}

void SoakMetrics::publish(finding::Outcome outcome, const soak::Figures& figures) {
  run_.metrics().set_verdict("soak", word(outcome));
  if (figures.bit_error_rate_bound) {
    registry_.set(kSoakErrorRate, {}, *figures.bit_error_rate_bound);
  } else {
    registry_.remove(kSoakErrorRate, {});
  }
  run_.publish();
}

Labels SoakMetrics::labels_of_phase(std::size_t phase) const {
  if (phase >= header_.plan.size()) return {{"phase", std::to_string(phase)}};
  const soak::Phase& of = header_.plan[phase];
  return {{"phase", std::to_string(phase)},
          {"collective", of.collective},
          {"algorithm", of.algorithm},
          {"size", std::to_string(of.size_bytes)},
          {"rails", results::joined(of.rails)}};
}

std::string SoakMetrics::host_of(int rank) const {
  const auto number = static_cast<std::size_t>(rank);
  return number < header_.ranks.size() ? header_.ranks[number].host : "";
}

}  // namespace railgauge::runner
