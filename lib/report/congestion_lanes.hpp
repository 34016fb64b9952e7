#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "results/congestion.hpp"

namespace railgauge::report {

// What the lanes of a congestion test's time line show.

using StepRows = std::vector<const results::CongestionRow*>;

/// A number that each sample has.
using SampleCount = std::int64_t results::CongestionSample::*;

/// A kind of event: where rows and samples have it, and its colour.
struct EventLane {
  const char* name;
  const char* one;
  results::CongestionEvents results::CongestionRow::*events;
  SampleCount count;
  const char* fill;  // classes of a picture's style
  const char* line;
};

inline constexpr std::array kEventLanes{
    EventLane{"ECN marks", "ECN mark", &results::CongestionRow::marks,
              &results::CongestionSample::marks, "fill1", "line1"},
    EventLane{"PFC pauses", "PFC pause", &results::CongestionRow::pauses,
              &results::CongestionSample::pauses, "fill2", "line2"},
    EventLane{"drops", "drop", &results::CongestionRow::losses, &results::CongestionSample::losses,
              "fill3", "line3"}};

/// A part of a step's time, and how much there was per second of it.
struct PartOfTime {
  double begin_s = 0;
  double end_s = 0;
  double rate = 0;

  friend bool operator==(const PartOfTime&, const PartOfTime&) = default;
};
using Parts = std::vector<PartOfTime>;

/// Of a step's samples, in at most so many parts, each of as many samples.
Parts parts_of_time(const results::CongestionRow& row, SampleCount count, std::size_t most);

/// The highest of all these parts; 0 of none.
double highest_rate(const std::vector<Parts>& steps);

/// The payload that was acknowledged over the packets that were received, in GB. Empty: it is not
/// known, since nothing was received or acknowledged.
std::optional<double> gigabytes_of_packet(const results::CongestionRow& row);

/// Whether that is known of all steps in which something was received.
bool knows_payload(const StepRows& steps);

/// Whether somebody counts these events in one of the steps.
bool is_counted(const StepRows& steps, const EventLane& lane);

/// The first of these events in all steps; null if there is none.
const results::CongestionEvents* first_of(const StepRows& steps, const EventLane& lane);

/// "first ECN mark at 7.622 s by leaf0 -> host0 (switch)"
std::string first_in_words(const EventLane& lane, const results::CongestionEvents& events);

/// The same of all lanes, or that nothing happened: for those who do not see it.
std::string lanes_in_words(const StepRows& steps);

}  // namespace railgauge::report
