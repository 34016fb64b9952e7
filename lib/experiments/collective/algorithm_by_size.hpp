#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schedule/collective.hpp"
#include "schedule/op.hpp"

namespace railgauge::runner {

// --algo by-size, the default of all-reduce: a rule that needs no measurement, so that all ranks of
// all runs choose alike. Small data are a matter of messages that wait for each other. A ring has
// 2(n-1) of those in a row; recursive doubling has log2 n; direct has two, and the fewest in all,
// 2(n-1), which is what counts where ranks take turns on processors: each message that a rank waits
// for there is a turn. Both send all data in every message, so a ring is faster above some size.
// benchmarks/README.md has the measurements.

constexpr std::string_view kBySize = "by-size";

/// Whether its default is to choose by size. Of other collectives the first algorithm is the
/// default at all sizes.
[[nodiscard]] constexpr bool chooses_by_size(schedule::Collective collective) {
  return collective == schedule::Collective::all_reduce;
}

/// What is small, and its algorithm.
struct SmallData {
  std::string_view algorithm;
  std::uint64_t most_bytes = 0;
};

/// By the cost model (predict/cost_model.hpp) doubling is faster than a ring up to 8 KiB for 2 to
/// 1024 ranks and from 10 to 400 Gb/s. The model knows nothing of turns on a processor: that direct
/// is faster for longer was measured, on one host, where no line limits the one rank that serves
/// all others.
[[nodiscard]] SmallData small_data(schedule::Rank ranks, bool share_processors, bool one_host);

/// The rule, for --help.
[[nodiscard]] std::string rule_by_size();

}  // namespace railgauge::runner
