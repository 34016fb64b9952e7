#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/pairs/all_nics.hpp"
#include "experiments/pairs/pairs_options.hpp"
#include "finding/finding.hpp"
#include "flow/plan.hpp"
#include "pairs/rounds.hpp"
#include "results/pairs.hpp"

namespace railgauge::runner {

/// A round of one mode.
struct PairsStep {
  flow::Mode mode = flow::Mode::bandwidth;
  pairs::Round round{};
};

/// All that is to be measured, in order; with --max-time in a random order, of which a part may be
/// measured. Latencies have a host in one test at a time: one thread looks after all its NICs.
/// Without the pairs of which `rows`, of an earlier run, have both directions, and both
/// worked.
[[nodiscard]] std::vector<PairsStep> steps_of(const AllNics& all, const PairsOptions& options,
                                              const std::vector<results::PairRow>& rows);

/// A warning that a port, or a part of its tests, was not tested.
[[nodiscard]] finding::Finding not_tested(const pairs::Nic& nic, const std::string& why);

/// NICs that are in no pair whatever is selected: warnings.
[[nodiscard]] std::vector<finding::Finding> without_peer(const AllNics& all,
                                                         const PairsOptions& options);

/// Rows that these make.
[[nodiscard]] std::uint64_t rows_of(const std::vector<PairsStep>& steps);

/// Rows of an earlier run that these do not measure again.
[[nodiscard]] std::uint64_t rows_kept(const std::vector<results::PairRow>& rows,
                                      const std::vector<PairsStep>& steps, const AllNics& all);

/// How long they should take, in seconds, without what is measured again: the times that were asked
/// for, or what messages take at line rate, and some for setting up.
[[nodiscard]] double estimate_s(const std::vector<PairsStep>& steps, const AllNics& all,
                                const PairsOptions& options);

/// With --max-time rounds may take this part of it, and the rest is for what is measured again.
inline constexpr double kShareOfRounds = 0.8;

/// So many of these steps, from the first, should end within that; all of them without --max-time.
[[nodiscard]] std::size_t steps_in_time(const std::vector<PairsStep>& steps, const AllNics& all,
                                        const PairsOptions& options);

/// How long it should take to ask switches for the paths of these steps, and how long it may.
struct AskingTime {
  double expected_s = 0;
  double most_s = 0;
};
[[nodiscard]] AskingTime asking_time(const std::vector<PairsStep>& steps, const AllNics& all,
                                     const PairsOptions& options);

[[nodiscard]] results::Endpoint endpoint_of(const pairs::Nic& nic);

}  // namespace railgauge::runner
