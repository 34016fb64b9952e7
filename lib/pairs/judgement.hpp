#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "finding/outcome.hpp"
#include "pairs/scale.hpp"
#include "results/pairs.hpp"

namespace railgauge::pairs {

/// Pairs to be retested alone before they are called bad, by their places among the rows, worst
/// first; those that failed before those that are slow. Without those that may fail, and without
/// those that were measured alone and are as they are.
[[nodiscard]] std::vector<std::size_t> suspects(const std::vector<results::PairRow>& rows,
                                                const Limits& limits);

/// Another attempt at a pair: the better of both counts (disturbances make a measurement worse,
/// never better), and the other is kept among the earlier ones.
void add_attempt(results::PairRow& row, results::PairFigures figures, bool alone);

/// Of repetitions the one with the median speed counts; those that failed count as the slowest. The
/// figures of none of them may be missing.
void set_repetitions(results::PairRow& row, std::vector<results::PairFigures> repetitions);

/// Gives every row its verdict and remark, and the body its summary. Returns what is wrong
/// (findings.hpp), and how many rows could be compared with anything.
[[nodiscard]] finding::Report judge(results::PairsBody& body, const Limits& limits);

/// "node3 rail 1 (mlx5_1, 10.1.0.3)".
[[nodiscard]] std::string name_of(const results::Endpoint& end);

}  // namespace railgauge::pairs
