#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flow/plan.hpp"
#include "options/option_table.hpp"
#include "pairs/judgement.hpp"
#include "pairs/selection.hpp"
#include "results/sweep_point.hpp"
#include "runner/options/run_options.hpp"

namespace railgauge::runner {

/// Whether switches are asked which ways tests take.
enum class AskSwitches : std::uint8_t {
  automatic,  ///< as far as that takes little time, compared with measuring
  on,
  off,  ///< and drivers choose source ports
};

/// The programs that run this test.
enum class PairsProgram : std::uint8_t {
  pairs_perf,
  reachability_perf,  ///< mode connect of all NICs
};

/// What they add to the options of every test.
struct PairsOptions {
  PairsProgram program = PairsProgram::pairs_perf;
  pairs::Selection selection{};
  bool cross_rail = false;      // has to work; of reachability_perf else it may fail
  bool same_rail_only = false;  // of reachability_perf
  std::vector<flow::Mode> modes{flow::Mode::bandwidth};
  bool bidirectional = false;
  std::uint64_t message_bytes = std::uint64_t{64} * 1024;
  unsigned queue_pairs = 1;
  int window = 16;
  std::uint64_t iterations = 0;
  std::chrono::milliseconds time{50};  // of each way of each pair
  int repetitions = 1;
  std::uint8_t traffic_class = 0;
  results::MemoryKind memory = results::MemoryKind::host;
  AskSwitches path_labels = AskSwitches::automatic;
  int probes_per_second = 100;       // of a host
  std::chrono::seconds max_time{0};  // 0: all pairs, however long that takes
  std::uint64_t seed = 1;
  bool resume = false;
  int retries = 3;  // alone, of what looks bad
  double line_rate_share = 0.9;
  /// kMedianShare; of mode connect kConnectShare; of software devices kSoftwareMedianShare.
  std::optional<double> median_share{};
  std::string svg_file{};
  bool colours = false;
};

inline constexpr double kMedianShare = 0.8;
/// Of short streams: a link that came up with half of its lanes is at one half.
inline constexpr double kConnectShare = 0.5;
/// Processors play the NIC: what else they do shows.
inline constexpr double kSoftwareMedianShare = 0.3;

[[nodiscard]] PairsOptions defaults_of(PairsProgram program);

void add_pairs_options(options::OptionTable& table, PairsOptions& options);

/// What they say together. Throws std::invalid_argument.
void check_pairs_options(const options::OptionTable& table, const RunOptions& run,
                         PairsOptions& options);

/// Of one mode, as the test's two ends have it.
[[nodiscard]] flow::Plan plan_of(const PairsOptions& options, flow::Mode mode);

/// The long names of the options that results have to agree in to be one.
[[nodiscard]] const std::vector<std::string>& names_of_what_is_measured();

}  // namespace railgauge::runner
