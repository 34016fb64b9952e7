#include "experiments/isolation/earlier_tests.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "results/input_file.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::runner {
namespace {

using finding::Direction;
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

Tests tests_of(const results::PairsBody& body, const Document& document) {
  return tests_of_pairs(body, document);
}

Tests tests_of(const results::CollectiveBody& body, const Document& document) {
  return tests_of_collective(body, document);
}

template <class Body>
Tests tests_of(const Body&, const Document& /*document*/) {
  throw std::runtime_error(std::string("a result of the kind '") + Body::kKind +
                           "' has no measurements of single paths between NICs; use one of "
                           "isolate_perf, pairs_perf, reachability_perf or a collective");
}

std::optional<std::int64_t> lost_at(const Document& document, const results::Endpoint& end,
                                    const std::map<std::string, std::int64_t>& moved,
                                    Direction direction) {
  std::optional<std::int64_t> lost;
  for (const results::PortCounters& port : document.counters) {
    if (port.device == end.device && port.port == end.port && port.address == end.address)
      lost = telemetry::lost_packets(port.before, moved, direction);
  }
  return lost;
}

}  // namespace

const results::RankRail* PathCounters::rail_of(const results::Endpoint& end) const {
  for (const results::Rank& rank : document_.ranks) {
    for (const results::RankRail& rail : rank.rails) {
      if (rail.device == end.device && rail.port == end.port && rail.address == end.address)
        return &rail;
    }
  }
  return nullptr;
}

std::int64_t PathCounters::packets(const results::Endpoint& from, const results::Endpoint& to,
                                   const results::PairFigures& attempt) const {
  constexpr int kUsualMtu = 1024;
  int mtu = 0;
  for (const results::Endpoint* const end : {&from, &to}) {
    const results::RankRail* const rail = rail_of(*end);
    if (rail == nullptr || rail->mtu_bytes <= 0) continue;
    mtu = mtu == 0 ? rail->mtu_bytes : std::min(mtu, rail->mtu_bytes);
  }
  const auto bytes_each = static_cast<std::uint64_t>(mtu == 0 ? kUsualMtu : mtu);
  return static_cast<std::int64_t>(std::max(attempt.messages, attempt.bytes / bytes_each));
}

std::optional<std::int64_t> PathCounters::lost_packets(const results::Endpoint& from,
                                                       const results::Endpoint& to,
                                                       const results::PairFigures& attempt) const {
  const auto sent = lost_at(document_, from, attempt.sender_events, Direction::transmit);
  auto received = lost_at(document_, to, attempt.receiver_events, Direction::receive);
  if (received && telemetry::only_overtaken(attempt.sender_events, attempt.receiver_events))
    received = 0;
  return sent && received ? std::max(*sent, *received) : sent ? sent : received;
}

Tests earlier_tests(const Document& document) {
  return std::visit([&](const auto& body) { return tests_of(body, document); }, document.body);
}

std::vector<EarlierTest> read_evidence(const std::string& path) {
  try {
    const auto json = nlohmann::ordered_json::parse(results::read_input(path));
    return earlier_tests(results::read_document(json));
  } catch (const std::exception& error) {
    throw std::runtime_error(results::name_of_input(path) + ": " + error.what());
  }
}

/// Ports count losses whether processes run or not; without any, such a test says nothing.
bool is_evidence(const IsolateRow& row) {
  return row.void_because.empty() || (!row.failed && row.lost_packets.value_or(0) > 0);
}

isolation::Observation observation_of(const IsolateRow& row, std::size_t from, std::size_t to,
                                      TestHops hops, bool software) {
  isolation::Observation test;
  test.from = from;
  test.to = to;
  test.source_port = row.source_port;
  test.round = row.round;
  test.alone = row.alone;
  test.hops = std::move(hops.there);
  test.heard = row.answered_hops.value_or(0);
  test.hops_back = std::move(hops.back);
  test.heard_back = row.answered_hops_back.value_or(0);
  test.sprayed = row.sprayed;
  test.outcome.failed = row.failed;
  test.outcome.arrives = row.arrives;
  test.outcome.lost_share = lost_share(row);
  if (row.void_because.empty()) {
    test.outcome.gigabytes_per_second = row.gigabytes_per_second;
    test.outcome.cpu_share = row.cpu_share;
    if (!software) test.outcome.latency_us = row.p99_us;
  }
  return test;
}

isolation::Observation observation_of(const EarlierTest& test, std::size_t from, std::size_t to,
                                      TestHops hops, bool software) {
  isolation::Observation made = observation_of(test.row, from, to, std::move(hops), software);
  made.earlier = true;
  made.outcome.expected_gigabytes_per_second = test.expected_gigabytes_per_second;
  made.outcome.expected_latency_us = test.expected_latency_us;
  if (test.expected_latency_us) made.outcome.latency_us = test.row.p99_us;
  return made;
}

}  // namespace railgauge::runner
