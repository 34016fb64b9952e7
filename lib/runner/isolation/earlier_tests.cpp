#include "runner/isolation/earlier_tests.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "measure/ran_share.hpp"
#include "reachability/complaints.hpp"
#include "runner/isolation/earlier_collectives.hpp"
#include "runner/isolation/earlier_pairs.hpp"

namespace railgauge::runner {
namespace {

using results::Document;
using results::IsolateRow;
using Tests = std::vector<EarlierTest>;

/// Of the packets, or where they are not counted all or nothing.
std::optional<double> lost_share(const IsolateRow& row) {
  std::optional<double> share;
  if (!row.lost_packets) return share;
  const auto lost = static_cast<double>(*row.lost_packets);
  share = row.packets && *row.packets > 0 ? lost / static_cast<double>(*row.packets)
                                          : (lost > 0 ? 1.0 : 0.0);
  return share;
}

Tests tests_of(const results::IsolateBody& body, const Document& /*document*/) {
  Tests tests;
  tests.reserve(body.rows.size());
  for (const IsolateRow& row : body.rows) tests.push_back({.row = row});
  return tests;
}

/// Whether it looks slow, and perhaps only because its ends did not run all the time.
bool is_doubtful(const results::ReachabilityRow& row, const results::ReachabilityBody& body) {
  const auto kind =
      std::ranges::find(body.summary, row.same_rail, &results::ReachabilitySummary::same_rail);
  if (kind == body.summary.end()) return false;
  const reachability::Kind of{.median_gigabytes_per_second = kind->median_gigabytes_per_second};
  const reachability::Reach reach{.reached = row.reached,
                                  .gigabytes_per_second = row.gigabytes_per_second.value_or(0),
                                  .ran_share = row.ran_share};
  return looks_slow(reach, of) && !is_slow(reach, of);
}

/// They may all have run at the same time, for all that is known.
Tests tests_of(const results::ReachabilityBody& body, const Document& /*document*/) {
  Tests tests;
  tests.reserve(body.rows.size());
  for (const results::ReachabilityRow& row : body.rows) {
    IsolateRow& made = tests.emplace_back().row;
    made.from = row.from;
    made.to = row.to;
    made.failed = !row.reached;
    made.gigabytes_per_second = row.gigabytes_per_second;
    made.p50_us = row.latency_us;
    made.reason = row.reason;
    if (is_doubtful(row, body)) made.void_because = measure::ran_text(row.ran_share);
  }
  return tests;
}

Tests tests_of(const results::PairsBody& body, const Document& document) {
  return tests_of_pairs(body, document);
}

Tests tests_of(const results::CollectiveBody& body, const Document& document) {
  return tests_of_collective(body, document);
}

template <class Body>
Tests tests_of(const Body&, const Document& /*document*/) {
  throw std::runtime_error(std::string("a result of the kind '") + Body::kKind +
                           "' does not tell single ways between NICs; isolate_perf, pairs_perf, "
                           "reachability_perf and the benchmarks of collectives write such");
}

}  // namespace

Tests earlier_tests(const Document& document) {
  return std::visit([&](const auto& body) { return tests_of(body, document); }, document.body);
}

/// Ports count losses whether processes run or not; without any, such a test says nothing.
bool is_evidence(const IsolateRow& row) {
  return row.void_because.empty() || (!row.failed && row.lost_packets.value_or(0) > 0);
}

isolation::Observation observation_of(const IsolateRow& row, std::size_t from, std::size_t to,
                                      std::vector<int> hops, bool software) {
  isolation::Observation test;
  test.from = from;
  test.to = to;
  test.source_port = row.source_port;
  test.round = row.round;
  test.alone = row.alone;
  test.hops = std::move(hops);
  test.sprayed = row.sprayed;
  test.outcome.failed = row.failed;
  test.outcome.lost_share = lost_share(row);
  if (row.void_because.empty()) {
    test.outcome.gigabytes_per_second = row.gigabytes_per_second;
    test.outcome.waited_share = row.waited_share;
    if (!software) test.outcome.latency_us = row.p99_us;
  }
  return test;
}

isolation::Observation observation_of(const EarlierTest& test, std::size_t from, std::size_t to,
                                      std::vector<int> hops, bool software) {
  isolation::Observation made = observation_of(test.row, from, to, std::move(hops), software);
  made.earlier = true;
  made.outcome.expected_gigabytes_per_second = test.expected_gigabytes_per_second;
  made.outcome.expected_latency_us = test.expected_latency_us;
  if (test.expected_latency_us) made.outcome.latency_us = test.row.p99_us;
  return made;
}

}  // namespace railgauge::runner
