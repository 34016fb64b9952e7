#include "report/congestion_lanes.hpp"

#include <algorithm>
#include <span>

#include "report/html.hpp"

namespace railgauge::report {
namespace {

using results::CongestionEvents;
using results::CongestionRow;
using results::CongestionSample;

double sum_of(std::span<const CongestionSample> samples, SampleCount count) {
  double sum = 0;
  for (const CongestionSample& sample : samples) sum += static_cast<double>(sample.*count);
  return sum;
}

std::string lane_in_words(const StepRows& steps, const EventLane& lane) {
  if (const CongestionEvents* const first = first_of(steps, lane))
    return first_in_words(lane, *first);
  return std::string(is_counted(steps, lane) ? "no " : "nobody counts ") + lane.name;
}

}  // namespace

Parts parts_of_time(const CongestionRow& row, SampleCount count, std::size_t most) {
  const std::span<const CongestionSample> all = row.samples;
  const std::size_t of_part = std::max<std::size_t>(1, (all.size() + most - 1) / most);
  Parts parts;
  double begin = row.begin_s;
  for (std::size_t at = 0; at < all.size(); at += of_part) {
    const auto some = all.subspan(at, std::min(of_part, all.size() - at));
    const double end = some.back().end_s;
    if (end <= begin) continue;  // of no time there is no rate
    parts.push_back({begin, end, sum_of(some, count) / (end - begin)});
    begin = end;
  }
  return parts;
}

double highest_rate(const std::vector<Parts>& steps) {
  double most = 0;
  for (const Parts& parts : steps) {
    for (const PartOfTime& part : parts) most = std::max(most, part.rate);
  }
  return most;
}

std::optional<double> gigabytes_of_packet(const CongestionRow& row) {
  const double packets = sum_of(row.samples, &CongestionSample::packets);
  double rate = 0;
  for (const results::CongestionFlow& flow : row.flows) rate += flow.gigabytes_per_second;
  if (packets <= 0 || rate <= 0) return std::nullopt;
  return rate * (row.samples.back().end_s - row.begin_s) / packets;
}

bool knows_payload(const StepRows& steps) {
  return std::ranges::all_of(steps, [](const CongestionRow* row) {
    return gigabytes_of_packet(*row) || sum_of(row->samples, &CongestionSample::packets) <= 0;
  });
}

bool is_counted(const StepRows& steps, const EventLane& lane) {
  return std::ranges::any_of(steps,
                             [&](const CongestionRow* row) { return (row->*lane.events).counted; });
}

const CongestionEvents* first_of(const StepRows& steps, const EventLane& lane) {
  const CongestionEvents* first = nullptr;
  for (const CongestionRow* const row : steps) {
    const CongestionEvents& events = row->*lane.events;
    if (!events.first_until_s) continue;
    if (first == nullptr || *events.first_until_s < *first->first_until_s) first = &events;
  }
  return first;
}

std::string first_in_words(const EventLane& lane, const CongestionEvents& events) {
  return std::string("first ") + lane.one + " at " + number_text(*events.first_until_s) + " s" +
         (events.place.empty() ? "" : " by " + events.place) + " (" + events.observer + ")";
}

std::string lanes_in_words(const StepRows& steps) {
  std::string text;
  for (const EventLane& lane : kEventLanes)
    text += (text.empty() ? "" : "; ") + lane_in_words(steps, lane);
  return text;
}

}  // namespace railgauge::report
