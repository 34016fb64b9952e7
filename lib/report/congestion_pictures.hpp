#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/congestion.hpp"

namespace railgauge::report {

// The pictures of a test of congestion, as HTML; each is empty if there is nothing for it.

/// A picture of each scenario: what was counted in its steps, over the time of the run.
std::string congestion_time_lines(const results::CongestionBody& body);

/// A picture of each step that overloads a receiver, the most unfair first: what each sender got
/// of it.
std::string congestion_shares(const results::CongestionBody& body);

/// A table of what other traffic did to flows that were measured alone, too.
std::string congestion_interference(const results::CongestionBody& body);

/// A flow during a step.
struct FlowOfStep {
  const results::CongestionRow* row = nullptr;
  const results::CongestionFlow* flow = nullptr;
};

/// A flow alone, and in the steps in which there was more.
struct MeasuredFlow {
  std::string name{};
  std::optional<FlowOfStep> alone{};
  std::map<std::string, FlowOfStep> next_to{};  // by the name of the step
};

/// The flows that a scenario has alone, too. The body has to outlive them.
std::vector<MeasuredFlow> measured_flows(const results::CongestionBody& body);

/// That flow in the row, if it had company there; else null.
const results::CongestionFlow* flow_in(const results::CongestionRow& row,
                                       const MeasuredFlow& measured);

// What they have in common.

/// Whether a step says nothing of the fabric; its reason says why.
bool is_void(const results::CongestionRow& row);

/// The name of a step: "4 senders, load 2"; of a void one with that word.
std::string step_in_words(const results::CongestionRow& row);

/// A figure of a picture and what stands above it.
std::string captioned(const std::string& caption, const std::string& picture);

}  // namespace railgauge::report
