// results-schema/examples/soak.jsonl is what the code writes: a soak with a flap, a lost packet and
// a gap, as it would be if it had run.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include "soak/record.hpp"
#include "soak/simulated_soak.hpp"
#include "soak/soak_summary.hpp"
#include "tree.hpp"

namespace railgauge::soak {
namespace {

const std::string kExample = in_tree("results-schema/examples/soak.jsonl");

/// Without digits that depend on who compiled it.
double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

void round_times(Window& window) {
  for (PhaseSample& phase : window.phases) {
    for (double* us : {&phase.p50_us, &phase.p99_us, &phase.p999_us, &phase.slowest.us}) {
      *us = rounded(*us);
    }
    for (double& own : phase.rank_own_us) own = rounded(own);
    for (RailSample& rail : phase.rails) rail.p50_us = rounded(rail.p50_us);
  }
  for (PortSample& port : window.ports) {
    for (PortTimes& times : port.times) {
      times = {times.phase, rounded(*times.sent_us), rounded(*times.received_us)};
    }
  }
  for (RankSample& rank : window.ranks)
    rank.load.descheduled_us = rounded(rank.load.descheduled_us);
}

/// A record as a run writes it, line by line.
class ExampleRun {
 public:
  ExampleRun() {
    header_.started = std::chrono::system_clock::from_time_t(1'769'860'800);
    header_.duration_s = 12 * header_.window_s;
    header_.load_percent = 80;
    add(header_);
  }

  void window(const std::function<void(const SimulatedSoak&, Window&)>& plant = {}) {
    Window window = soak_.window();
    if (plant) plant(soak_, window);
    round_times(window);
    const auto findings = summary_.take(window);
    add(window);
    for (const finding::Finding& one : findings) add(one);
    last_ = window;
  }

  void gap() {
    Gap gap{.from = last_.start + std::chrono::minutes(1),
            .to = last_.start + std::chrono::minutes(3),
            .after_window = last_.number,
            .lost_windows = 2,
            .why = "rank 2 (host2): killed",
            .resumed_by = "--resume on host0",
            .rebooted = {"host2"}};
    add(gap);
    for (const finding::Finding& one : summary_.take(gap)) add(one);
  }

  std::string end() {
    add(End{.when = last_.start + std::chrono::minutes(1),
            .complete = true,
            .outcome = outcome(summary_.report()),
            .reason = in_short(summary_.report())});
    return text_.str();
  }

 private:
  void add(const Line& line) { text_ << to_text(line) << "\n"; }

  SimulatedSoak soak_{quiet_hardware(), 1};
  Header header_{soak_.header()};
  SoakSummary summary_{header_};
  Window last_{};
  std::ostringstream text_;
};

std::string example() {
  ExampleRun run;
  for (int at = 0; at < 4; ++at) run.window();
  run.window([](const auto& soak, Window& window) {
    soak.port(window, 2, 0).moved["packet_seq_err"] = 1;
    soak.port(window, 3, 0).moved["out_of_sequence"] = 1;
  });
  run.window();
  run.gap();
  run.window(
      [](const auto& soak, Window& window) { soak.port(window, 1, 1).moved["link_downed"] = 1; });
  for (int at = 0; at < 5; ++at) run.window();
  return run.end();
}

/// Of RAILGAUGE_WRITE_EXAMPLES=1 it is written.
TEST(Example, IsWhatTheCodeWrites) {
  if (std::getenv("RAILGAUGE_WRITE_EXAMPLES") != nullptr) std::ofstream(kExample) << example();
  std::ifstream in(kExample);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), example());
}

TEST(Example, IsReadAsTheDocumentOfItsRun) {
  const Record record = read_record(kExample);
  const results::Document document = document_of(record, kExample);
  EXPECT_EQ(document.exit_code, results::ExitCode::verdict_failed);
  const auto& body = std::get<results::SoakBody>(document.body);
  ASSERT_TRUE(record.end);
  EXPECT_EQ(outcome(document.report), record.end->outcome);
  EXPECT_EQ(in_short(document.report), record.end->reason);
  EXPECT_EQ(body.figures.deciding_windows, (std::vector<std::uint64_t>{5, 7}));
  EXPECT_EQ(document.report.findings.size(), 3U);
  EXPECT_EQ(body.events_seen, 3U);
  EXPECT_EQ(body.gaps.size(), 1U);
  EXPECT_EQ(body.rows.size(), 4U);
  EXPECT_EQ(document.counters.size(), 8U);
  const auto& port = document.counters.at(3);  // host1 mlx5_1
  EXPECT_EQ(port.after.at("link_downed"), 1U);
  EXPECT_EQ(port.before.at("link_downed"), 0U);
}

TEST(Example, OfARunThatWasKilledHasNoEnd) {
  Record record = read_record(kExample);
  record.end.reset();
  EXPECT_FALSE(document_of(record, kExample).exit_code);
}

}  // namespace
}  // namespace railgauge::soak
