#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "experiments/congestion/scenario.hpp"
#include "options/option_table.hpp"
#include "runner/options/run_options.hpp"

namespace railgauge::runner {

/// The options of the test of congestion.
struct CongestionOptions {
  std::vector<Scenario> scenarios{Scenario::incast, Scenario::victim};
  std::vector<double> loads{0.9, 1.2, 2, kMostLoad};  // in parts of the receiver's line rate
  int receiver = 0;                                   // rank
  int rail = 0;
  std::chrono::milliseconds time{2000};  // of a step
  std::uint64_t message_bytes = 0;       // 0: by device
  int window = 0;                        // 0: by device
  unsigned queue_pairs = 1;
  std::uint8_t traffic_class = 104;        // DSCP 26, which RoCE fabrics usually make lossless
  std::chrono::milliseconds interval{10};  // between two samples
  std::string switch_counters{};           // a control socket of softswitch; empty: none
  bool expects_ecn = true;
};

void add_congestion_options(options::OptionTable& table, CongestionOptions& options);

/// What they say together. Throws std::invalid_argument.
void check_congestion_options(const RunOptions& run, const CongestionOptions& options);

}  // namespace railgauge::runner
