#include "experiments/isolation/earlier_tests.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "diagnosis/path_times.hpp"
#include "diagnosis/slow_paths.hpp"
#include "telemetry/counters.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::runner {
namespace {

using diagnosis::Mark;
using diagnosis::Ports;
using Marks = std::vector<Mark>;

/// As a rate of 80 % has it, by which isolate_perf calls a test slow.
constexpr double kAsFast = 1.25;

results::Endpoint end_of(const diagnosis::Port& port) {
  return {port.host, port.rail, port.device, port.number, port.address, port.plane};
}

/// Ports that counted packets that did not arrive, between the first row and the last.
std::vector<bool> lossy_ports(const results::Document& document, const Ports& ports) {
  using finding::Direction;
  std::vector<bool> lossy(ports.size());
  for (const results::PortCounters& counted : document.counters) {
    const auto moved = telemetry::moved(counted.before, counted.after);
    for (std::size_t port = 0; port < ports.size(); ++port) {
      const diagnosis::Port& one = ports[port];
      if (one.host != counted.host || one.device != counted.device || one.number != counted.port ||
          one.address != counted.address) {
        continue;
      }
      for (const Direction direction : {Direction::transmit, Direction::receive})
        lossy[port] = lossy[port] ||
                      telemetry::lost_packets(counted.before, moved, direction).value_or(0) > 0;
    }
  }
  return lossy;
}

/// In the slowest of the rows in which it is slow.
EarlierTest slow_test(const Marks& marks) {
  const auto times = [](const Mark& mark) {
    return mark.slow() ? mark.time.min_us / std::max(1.0, mark.usual.floors.usual) : 0;
  };
  const Mark& mark = *std::ranges::max_element(marks, {}, times);
  EarlierTest test;
  test.row.p99_us = mark.min_slow ? mark.time.min_us : mark.time.median_us;
  test.expected_latency_us = mark.min_slow ? mark.usual.floors.usual : mark.usual.median_us;
  return test;
}

/// In rows with the largest chunks, in which a low rate would show, as fast as the faster ones. In
/// all of them: what is slow now and then is not well.
std::optional<EarlierTest> good_test(const Marks& marks) {
  const auto bytes = [](const Mark& mark) { return mark.time.bytes; };
  const std::uint64_t largest = bytes(*std::ranges::max_element(marks, {}, bytes));
  std::optional<EarlierTest> test;
  for (const Mark& mark : marks) {
    if (2 * mark.time.bytes < largest) continue;
    if (mark.slow() || mark.time.min_us > kAsFast * mark.usual.floors.usual) return std::nullopt;
    test.emplace();
    test->row.p99_us = mark.time.min_us;
    test->expected_latency_us = mark.usual.floors.usual;
  }
  return test;
}

std::string why_no_times(bool in_turn) {
  if (!in_turn)
    return "no row of it has 'edges', the times of single chunks from one rank to another";
  return "all its rows with 'edges' are of the algorithm direct, which serves ranks in turn; there "
         "the time of a chunk does not depend on its path; measure with another algorithm "
         "(all-reduce: --algo ring)";
}

/// Of the rows that were not served in turn.
std::vector<std::vector<diagnosis::PathTime>> times_of(const results::CollectiveBody& body,
                                                       const Ports& ports) {
  std::vector<std::vector<diagnosis::PathTime>> rows;
  bool any = false;
  bool in_turn = false;
  for (const results::CollectiveRow& row : body.rows) {
    const bool turns = diagnosis::serves_in_turn(row);
    bool& seen = turns ? in_turn : any;
    seen = seen || !row.edges.empty();
    if (!turns) rows.push_back(path_times(row, ports));
  }
  if (!any) throw std::runtime_error(why_no_times(in_turn));
  return rows;
}

}  // namespace

/// All of one round: they were measured at the same time, and so convict nobody by themselves.
std::vector<EarlierTest> tests_of_collective(const results::CollectiveBody& body,
                                             const results::Document& document) {
  const Ports ports(document.ranks);
  const std::vector<std::vector<diagnosis::PathTime>> rows = times_of(body, ports);
  const std::vector<bool> lossy = lossy_ports(document, ports);
  std::vector<EarlierTest> tests;
  for (const auto& [path, marks] : diagnosis::marks_of(rows, ports).data) {
    if (ports[path.from].host == ports[path.to].host) continue;
    std::optional<EarlierTest> test;
    if (diagnosis::is_slow(marks)) {
      test = slow_test(marks);
    } else if (!lossy[path.from] && !lossy[path.to]) {
      test = good_test(marks);
    }
    if (!test) continue;
    test->row.from = end_of(ports[path.from]);
    test->row.to = end_of(ports[path.to]);
    tests.push_back(std::move(*test));
  }
  return tests;
}

}  // namespace railgauge::runner
