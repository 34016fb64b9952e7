#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "congestion/scenario.hpp"
#include "options/option_table.hpp"
#include "runner/options/run_options.hpp"

namespace railgauge::runner {

/// A list of scenarios that others have published.
enum class Profile : std::uint8_t { none, bmwg_training };

/// The options of the test of congestion.
struct CongestionOptions {
  Profile profile = Profile::none;
  std::vector<congestion::Scenario> scenarios{congestion::Scenario::incast,
                                              congestion::Scenario::victim};
  std::vector<std::string> scenario_files{};
  std::vector<double> loads{0.9, 1.2, 2, congestion::kMostLoad};  // in parts of the line rate
  int receiver = 0;                                               // rank
  int rail = 0;
  std::chrono::milliseconds time{2000};  // of a step
  std::uint64_t message_bytes = 0;       // 0: by device
  int window = 0;                        // 0: by device
  std::vector<int> queue_pairs{1};
  int probes_per_second = 100;
  std::uint8_t traffic_class = 104;        // DSCP 26, which RoCE fabrics usually make lossless
  std::uint8_t other_class = 0;            // of bulk
  double oversubscription = 0;             // as designed; 0: not known
  std::string break_command{};             // on rank 0
  std::chrono::milliseconds interval{10};  // between two samples
  std::string switch_counters{};           // a file or a socket of softswitch; empty: none
  std::string topology{};                  // a railgauge/fabric/1; empty: none
  bool expects_ecn = true;
};

void add_congestion_options(options::OptionTable& table, CongestionOptions& options);

/// Which scenarios are run, by profile, names and files. Throws std::invalid_argument if both
/// profile and names are given.
void settle_scenarios(const options::OptionTable& table, CongestionOptions& options);

/// What they say together. Throws std::invalid_argument.
void check_congestion_options(const RunOptions& run, const CongestionOptions& options);

}  // namespace railgauge::runner
