#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flow/plan.hpp"
#include "pairs/judgement.hpp"
#include "pairs/selection.hpp"
#include "runner/options/option_table.hpp"
#include "runner/options/run_options.hpp"

namespace railgauge::runner {

/// Whether switches are asked which ways tests take.
enum class AskSwitches : std::uint8_t {
  automatic,  ///< as far as that takes little time, compared with measuring
  on,
  off,  ///< and drivers choose source ports
};

/// What pairs_perf adds to the options of every test.
struct PairsOptions {
  pairs::Selection selection{};
  bool cross_rail = false;
  std::vector<flow::Mode> modes{flow::Mode::bandwidth};
  bool bidirectional = false;
  std::uint64_t message_bytes = std::uint64_t{64} * 1024;
  int queue_pairs = 1;
  int window = 16;
  std::uint64_t iterations = 0;
  std::chrono::milliseconds time{50};  // of each way of each pair
  int repetitions = 1;
  int traffic_class = 0;
  AskSwitches path_labels = AskSwitches::automatic;
  int probes_per_second = 100;       // of a host
  std::chrono::seconds max_time{0};  // 0: all pairs, however long that takes
  std::uint64_t seed = 1;
  bool resume = false;
  int retries = 3;  // alone, of what looks bad
  double line_rate_share = 0.9;
  std::optional<double> median_share{};  // kMedianShare; of software devices kSoftwareMedianShare
  std::string svg_file{};
  bool colours = false;
};

inline constexpr double kMedianShare = 0.8;
/// Processors play the NIC: what else they do shows.
inline constexpr double kSoftwareMedianShare = 0.3;

void add_pairs_options(OptionTable& table, PairsOptions& options);

/// What they say together. Throws std::invalid_argument.
void check_pairs_options(const OptionTable& table, const RunOptions& run, PairsOptions& options);

/// Of one mode, as the test's two ends have it.
[[nodiscard]] flow::Plan plan_of(const PairsOptions& options, flow::Mode mode);

/// The long names of the options that results have to agree in to be one.
[[nodiscard]] const std::vector<std::string>& names_of_what_is_measured();

}  // namespace railgauge::runner
