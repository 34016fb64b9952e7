#include "runner/isolation/concurrent_tests.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <thread>

#include "measure/queued_time.hpp"
#include "paths/source_port.hpp"
#include "runner/poll_gaps.hpp"
#include "telemetry/counters.hpp"
#include "telemetry/meaning.hpp"
#include "transport/exchange.hpp"

namespace railgauge::runner {
namespace {

using isolation::PlannedTest;

constexpr int kIdlePolls = 1000;
/// Software devices are played by the processors that also wait here: they are left to them.
constexpr std::chrono::milliseconds kNap{1};
/// Drivers read their counters every 10 ms.
constexpr std::chrono::milliseconds kCountersAge{15};

bool is_hardware(const OwnNics::value_type& nic) {
  return !nic.second->port.software;
}

/// This rank's end of a test.
struct TestEnd {
  std::size_t test = 0;  // among all of all batches
  std::size_t batch = 0;
  std::size_t nic = 0;
  std::size_t peer_rank = 0;
  std::unique_ptr<FlowTest> flow{};
  telemetry::Counters before{};
  std::map<std::string, std::int64_t> moved{};
  double stalled_ms = 0;
  std::optional<double> waited_share{};

  /// In lists of both ends of all tests: the sender's, then the receiver's.
  [[nodiscard]] std::size_t own_place() const { return 2 * test + (flow->sends() ? 0 : 1); }
  [[nodiscard]] std::size_t peer_place() const { return 2 * test + (flow->sends() ? 1 : 0); }
};
using TestEnds = std::vector<TestEnd>;

telemetry::Counters counters_of(const TestedNic& nic) {
  return telemetry::read_counters(nic.end.device, nic.end.port);
}

void add_ends(const PlannedTest& test, const std::vector<TestedNic>& nics, const OwnNics& own,
              const TestSettings& settings, const TestEnd& place, TestEnds& ends) {
  for (const bool sends : {true, false}) {
    const std::size_t nic = sends ? test.from : test.to;
    if (!own.contains(nic)) continue;
    TestEnd& end = ends.emplace_back();
    end.test = place.test;
    end.batch = place.batch;
    end.nic = nic;
    end.peer_rank = nics[sends ? test.to : test.from].rank;
    end.flow = std::make_unique<FlowTest>(
        *own.at(nic), sends ? FlowTest::End::sends : FlowTest::End::receives,
        FlowSettings{paths::flow_label_of_port(test.route.source_port), settings.traffic_class,
                     settings.time});
  }
}

/// This rank's, batch by batch.
TestEnds ends_of(const std::vector<Batch>& batches, const std::vector<TestedNic>& nics,
                 const OwnNics& own, const TestSettings& settings) {
  TestEnds ends;
  TestEnd place;
  for (const Batch& batch : batches) {
    for (const PlannedTest& test : batch) {
      add_ends(test, nics, own, settings, place, ends);
      ++place.test;
    }
    ++place.batch;
  }
  return ends;
}

/// [end] Whether the other end is connected, too.
std::vector<bool> connect(job::Communicator& communicator, TestEnds& ends, std::size_t tests) {
  std::vector<ProbeOffer> offers(2 * tests);
  for (const TestEnd& end : ends) offers[end.own_place()] = end.flow->offer();
  const auto all_offers = transport::all_gather(communicator, offers);
  std::vector<char> connected(2 * tests);
  for (TestEnd& end : ends) {
    const bool done = end.flow->connect(all_offers[end.peer_rank].at(end.peer_place()));
    connected[end.own_place()] = done ? 1 : 0;
  }
  const auto all_connected = transport::all_gather(communicator, connected);
  std::vector<bool> both;
  both.reserve(ends.size());
  for (const TestEnd& end : ends)
    both.push_back(all_connected[end.peer_rank].at(end.peer_place()) != 0);
  return both;
}

/// Whether any goes on.
bool advance(std::span<TestEnd> ends, double stalled_ms) {
  bool going_on = false;
  for (TestEnd& end : ends) {
    if (end.flow->is_over()) continue;
    end.stalled_ms += stalled_ms;
    going_on = end.flow->advance() || going_on;
  }
  return going_on;
}

void drive(job::Communicator& communicator, std::span<TestEnd> ends, bool software) {
  PollGaps gaps;
  for (int polls = 1;; ++polls) {
    if (!advance(ends, gaps.next_ms())) return;
    const bool timing =
        std::ranges::any_of(ends, [](const TestEnd& end) { return end.flow->is_timing(); });
    const bool naps = software && !timing;
    if (naps) std::this_thread::sleep_for(kNap);
    if (!naps && polls % kIdlePolls != 0) continue;
    communicator.abort_channel().check();
    std::this_thread::yield();
  }
}

/// Once the other ends are done, too: what a receiver counts is there by then.
void count(std::span<TestEnd> ends, const std::vector<TestedNic>& nics, const OwnNics& own) {
  if (!ends.empty() && std::ranges::any_of(own, is_hardware))
    std::this_thread::sleep_for(kCountersAge);
  for (TestEnd& end : ends) end.moved = telemetry::moved(end.before, counters_of(nics[end.nic]));
}

/// Those of a batch, of ends that stand batch by batch.
std::span<TestEnd> of_batch(TestEnds& ends, std::size_t batch) {
  const auto begin = std::ranges::lower_bound(ends, batch, {}, &TestEnd::batch);
  return {begin, std::ranges::upper_bound(ends, batch, {}, &TestEnd::batch)};
}

template <class T>
nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

template <class T>
void read(const nlohmann::json& json, std::optional<T>& value) {
  if (!json.is_null()) value = json.get<T>();
}

/// What an end says of its test.
nlohmann::json packed(const TestEnd& end) {
  using telemetry::Way;
  const FlowOutcome outcome = end.flow->outcome();
  const Way way = end.flow->sends() ? Way::sent : Way::received;
  return {end.test,
          end.flow->sends(),
          end.nic,
          outcome.reason,
          or_null(outcome.gigabytes_per_second),
          or_null(outcome.p50_us),
          or_null(outcome.p99_us),
          or_null(telemetry::packets(end.moved, Way::sent)),
          or_null(telemetry::lost_packets(end.before, end.moved, way)),
          end.stalled_ms,
          end.flow->source_port() == verbs::SourcePort::set,
          or_null(end.waited_share)};
}

void take_sender(const nlohmann::json& end, MeasuredTest& test) {
  end.at(3).get_to(test.outcome.reason);
  read(end.at(4), test.outcome.gigabytes_per_second);
  read(end.at(5), test.outcome.p50_us);
  read(end.at(6), test.outcome.p99_us);
  read(end.at(7), test.packets);
  end.at(10).get_to(test.port_was_set);
}

/// What either end counted as lost is the same packets. A receiver that waited in vain says nothing
/// that its sender does not.
void take(const nlohmann::json& end, std::vector<MeasuredTest>& tests) {
  MeasuredTest& test = tests.at(end.at(0).get<std::size_t>());
  if (end.at(1).get<bool>()) take_sender(end, test);
  std::optional<std::int64_t> lost;
  read(end.at(8), lost);
  if (lost) test.lost = std::max(test.lost.value_or(0), *lost);
  std::optional<double> waited;
  read(end.at(11), waited);
  if (waited) test.waited_share = std::max(test.waited_share.value_or(0), *waited);
  const double stalled_ms = end.at(9);
  if (stalled_ms <= test.stalled_ms) return;
  test.stalled_ms = stalled_ms;
  end.at(2).get_to(test.stalled_nic);
}

std::vector<MeasuredTest> told_by_all(job::Communicator& communicator, const TestEnds& ends,
                                      std::size_t tests) {
  nlohmann::json own = nlohmann::json::array();
  for (const TestEnd& end : ends) own.push_back(packed(end));
  std::vector<MeasuredTest> measured(tests);
  for (const std::string& text : communicator.all_gather_text(own.dump())) {
    for (const auto& end : nlohmann::json::parse(text)) take(end, measured);
  }
  return measured;
}

}  // namespace

std::vector<MeasuredTest> run_batches(job::Communicator& communicator,
                                      const std::vector<TestedNic>& nics, const OwnNics& own,
                                      const std::vector<Batch>& batches,
                                      const TestSettings& settings) {
  const std::size_t tests = std::transform_reduce(batches.begin(), batches.end(), std::size_t{0},
                                                  std::plus{}, std::mem_fn(&Batch::size));
  TestEnds ends = ends_of(batches, nics, own, settings);
  const std::vector<bool> connected = connect(communicator, ends, tests);
  const bool software = !std::ranges::all_of(own, is_hardware);
  for (std::size_t batch = 0; batch < batches.size(); ++batch) {
    const std::span<TestEnd> now = of_batch(ends, batch);
    for (TestEnd& end : now) end.before = counters_of(nics[end.nic]);
    communicator.barrier();
    std::optional<measure::QueuedShare> queued;
    if (software) queued.emplace();
    for (TestEnd& end : now)
      end.flow->start(connected[static_cast<std::size_t>(&end - ends.data())]);
    drive(communicator, now, software);
    for (TestEnd& end : now) {
      if (queued && nics[end.nic].software) end.waited_share = queued->until_now();
    }
    count(now, nics, own);
  }
  communicator.barrier();  // a queue pair that is gone cannot acknowledge
  return told_by_all(communicator, ends, tests);
}

}  // namespace railgauge::runner
