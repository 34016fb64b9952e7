#include "experiments/congestion/congestion_rows.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "congestion/figures.hpp"
#include "congestion/verdict.hpp"

namespace railgauge::runner {
namespace {

using congestion::PortSeries;
using congestion::Signal;
using congestion::Step;

results::CongestionEvents record_of(const congestion::Events& events) {
  results::CongestionEvents record{.counted = events.counted, .count = events.count};
  if (!events.first) return record;
  record.observer = congestion::word(events.first->observer);
  record.first_after_s = events.first->begin_s;
  record.first_until_s = events.first->end_s;
  record.place = events.first->place;
  return record;
}

/// From its first sample to its last; of a step without samples both are 0.
std::pair<double, double> time_of(const Step& step) {
  double begin = std::numeric_limits<double>::infinity();
  double end = -begin;
  for (const PortSeries& port : step.ports) {
    if (port.samples.empty()) continue;
    begin = std::min(begin, port.samples.front().begin_s);
    end = std::max(end, port.samples.back().end_s);
  }
  if (begin > end) return {};
  return {begin, end};
}

void add(results::CongestionSample& part, const Step& step, const PortSeries& port,
         const congestion::Sample& sample) {
  const auto count = [&](Signal signal) { return sample.counts.at(telemetry::index_of(signal)); };
  if (receives(step, port.port)) {
    part.marks += count(Signal::mark);
    part.packets += sample.packets_received;
  }
  if (sends(step, port.port)) {
    part.cnps_received += count(Signal::cnp_received);
    part.pauses += count(Signal::pause_received);
  }
  part.losses += count(Signal::loss);
}

}  // namespace

std::vector<results::CongestionSample> timeline_of(const Step& step, std::size_t most) {
  std::size_t samples = 0;
  for (const PortSeries& port : step.ports) samples = std::max(samples, port.samples.size());
  const std::size_t parts = std::min(samples, most);
  const auto [begin, end] = time_of(step);
  std::vector<results::CongestionSample> line(parts);
  const double width = parts == 0 ? 0 : (end - begin) / static_cast<double>(parts);
  for (std::size_t at = 0; at < parts; ++at)
    line[at].end_s = begin + width * static_cast<double>(at + 1);
  if (width <= 0) return line;
  for (const PortSeries& port : step.ports) {
    for (const congestion::Sample& sample : port.samples) {
      const auto at = static_cast<std::size_t>((sample.end_s - begin) / width);
      add(line[std::min(at, parts - 1)], step, port, sample);
    }
  }
  return line;
}

results::CongestionRow row_of(std::span<const Step> steps,
                              std::vector<results::CongestionFlow> flows,
                              const results::CongestionSampling& sampling) {
  constexpr std::size_t kMostSamples = 200;
  const Step& step = steps.back();
  const congestion::Judged judged = judge(step);
  const std::array all{&step};
  const congestion::Seen seen = seen_in(all);
  const auto [begin, end] = time_of(step);
  results::CongestionRow row{.scenario = std::string(congestion::word(step.scenario)),
                             .step = step.name,
                             .load = step.load,
                             .begin_s = begin,
                             .seconds = end - begin,
                             .verdict = std::string(congestion::word(judged.verdict)),
                             .reason = judged.reason,
                             .marks = record_of(seen.marks),
                             .pauses = record_of(seen.pauses),
                             .losses = record_of(seen.losses),
                             .jain_index = fairness(step),
                             .sampling = sampling,
                             .flows = std::move(flows),
                             .samples = timeline_of(step, kMostSamples)};
  for (congestion::Figure& figure : congestion::figures_of(steps))
    row.figures.push_back({std::move(figure.metric), std::move(figure.unit), figure.value,
                           figure.expected, std::move(figure.expected_from)});
  for (const PortSeries& port : step.ports) {
    if (receives(step, port.port)) row.cnps_sent += total(port, Signal::cnp_sent);
    if (sends(step, port.port)) row.cnps_received += total(port, Signal::cnp_received);
  }
  return row;
}

}  // namespace railgauge::runner
