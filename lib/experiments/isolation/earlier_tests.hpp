#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isolation/evidence.hpp"
#include "json/members.hpp"
#include "results/document.hpp"
#include "results/isolate.hpp"

namespace railgauge::runner {

/// One NIC's sending to another in an earlier run, as a row of isolate_perf has it; and what was to
/// be expected of it, where another test measured it, whose figures are not to be compared with
/// ours.
struct EarlierTest {
  results::IsolateRow row{};
  std::optional<double> expected_gigabytes_per_second{};
  std::optional<double> expected_latency_us{};  // of row.p99_us

  RAILGAUGE_FIELDS((row), expected_gigabytes_per_second, expected_latency_us)
};

/// What ports of a run counted, by direction.
class PathCounters {
 public:
  /// `document` has to outlive it.
  explicit PathCounters(const results::Document& document) : document_(document) {}

  /// Null: it is no rank's.
  [[nodiscard]] const results::RankRail* rail_of(const results::Endpoint& end) const;
  /// As many as the data of an attempt take: figures of pairs have no counters of traffic.
  [[nodiscard]] std::int64_t packets(const results::Endpoint& from, const results::Endpoint& to,
                                     const results::PairFigures& attempt) const;
  /// What either port counted in that direction; without time-outs, which may be of what was only
  /// late. Empty: neither counts.
  [[nodiscard]] std::optional<std::int64_t> lost_packets(const results::Endpoint& from,
                                                         const results::Endpoint& to,
                                                         const results::PairFigures& attempt) const;

 private:
  const results::Document& document_;
};

/// What a result of ours has of single paths between NICs:
/// - isolate: its tests;
/// - pairs: every attempt, with its path, held to the median that pairs_perf holds it to. Left out
///   are latencies of software devices, and bandwidths of theirs that are neither good nor so low
///   that pairs_perf would call them slow; what was not tested because the other direction
///   failed; and what failed and may;
/// - collective: a test for each two ports between which single chunks were timed, by all rows
///   together: slow as `railgauge diagnose` sees it, or as fast as the faster ones at the largest
///   chunks while neither port counted a loss. What is between says nothing. No path is known.
/// Tests without anything that was judged are left out: they would speak for what they pass. Throws
/// std::runtime_error if it is of another kind, or says nothing of the kind.
[[nodiscard]] std::vector<EarlierTest> earlier_tests(const results::Document& document);

// Of a result of pairs, and of a collective.
[[nodiscard]] std::vector<EarlierTest> tests_of_pairs(const results::PairsBody& body,
                                                      const results::Document& document);
[[nodiscard]] std::vector<EarlierTest> tests_of_collective(const results::CollectiveBody& body,
                                                           const results::Document& document);

/// Those of the result in a file. Throws std::runtime_error, which names it.
[[nodiscard]] std::vector<EarlierTest> read_evidence(const std::string& path);

/// Whether a row of isolate_perf says anything, if an endpoint process was descheduled for a part
/// of the time.
[[nodiscard]] bool is_evidence(const results::IsolateRow& row);

/// The switches of a test by number, and of a failed one those of its acknowledgements.
struct TestHops {
  std::vector<int> there{};
  std::vector<int> back{};
};

/// A row as lib/isolation takes it, between NICs by their places and over these switches.
/// `software`: of a software device, whose latency is that of processors, and says nothing of a
/// path.
[[nodiscard]] isolation::Observation observation_of(const results::IsolateRow& row,
                                                    std::size_t from, std::size_t to, TestHops hops,
                                                    bool software);
[[nodiscard]] isolation::Observation observation_of(const EarlierTest& test, std::size_t from,
                                                    std::size_t to, TestHops hops, bool software);

}  // namespace railgauge::runner
