#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/pairs.hpp"

namespace railgauge::pairs {

/// What a way is held to. One-sided: being faster than the rest is no fault.
struct Limits {
  double line_rate_percent = 90;  ///< of bandwidth: at least that
  /// As fast as that share of the median of what it is compared with, the fast ways like it
  /// (medians.hpp), at least: of bandwidths, or of the median latency, whose shorter is the faster.
  double median_share = 0.8;
  /// Figures of software devices say nothing about a line, whatever rate they claim.
  bool holds_line_rate = true;
};

/// Ways to be measured again alone before they are called bad, by their places among the rows,
/// worst first; those that failed before those that are slow. Without those that were measured
/// alone and are as they are.
[[nodiscard]] std::vector<std::size_t> suspects(const std::vector<results::PairRow>& rows,
                                                const Limits& limits);

/// Another attempt at a way: the better of both counts (disturbances make a measurement worse,
/// never better), and the other is kept among the earlier ones.
void add_attempt(results::PairRow& row, results::PairFigures figures, bool alone);

/// Of repetitions the one with the median speed counts; those that failed count as the slowest. The
/// figures of none of them may be missing.
void set_repetitions(results::PairRow& row, std::vector<results::PairFigures> repetitions);

/// Gives every row its verdict and remark, and the body its summary and findings:
/// - a NIC of which no way works, or none that sends or receives, once;
/// - a NIC that looks slow in everything that it sends, or receives, and in two ways of it was seen
///   so alone, once;
/// - every other way that fails or is slow, and was seen so alone;
/// - how many work and failed in another attempt, which is a doubt and no finding;
/// - how many look slow and were not measured again alone, or look bad only while a process at
///   their ends did not run, or not all the time, which are other doubts.
/// A way is UNKNOWN that there is nothing to compare with, or that was a suspect only.
/// Returns what is in doubt, in sentences. Medians in the summary are those that ways are held to.
std::vector<std::string> judge(results::PairsBody& body, const Limits& limits);

/// "node3 rail 1 (mlx5_1, 10.1.0.3)".
[[nodiscard]] std::string name_of(const results::Endpoint& end);

}  // namespace railgauge::pairs
