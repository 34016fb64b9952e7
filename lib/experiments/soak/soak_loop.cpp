#include "experiments/soak/soak_loop.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>
#include <thread>
#include <utility>

namespace railgauge::runner {
namespace {

namespace fs = std::filesystem;

/// The second number of statm, in pages.
std::uint64_t resident_bytes_of(const fs::path& statm) {
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::ifstream(statm) >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t entries_of(const fs::path& folder) {
  std::error_code missing;
  const auto all = fs::directory_iterator(folder, missing);
  return static_cast<std::uint64_t>(std::distance(fs::begin(all), fs::end(all)));
}

ProcessUsage usage_of_this_process() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return {.resident_bytes = resident_bytes_of("/proc/self/statm"),
          .descriptors = entries_of("/proc/self/fd"),
          .processor = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)};
}

/// What rank 0 orders the others to do next.
enum Order : std::uint64_t { finish, close_window, first_phase };

constexpr double kMicro = 1e6;

void add(const results::RankLoad& turn, results::RankLoad& window) {
  const double before_us = window.wall_us;
  window.wall_us += turn.wall_us;
  window.ran_us += turn.ran_us;
  if (turn.queued_us) window.queued_us = window.queued_us.value_or(0) + *turn.queued_us;
  window.held_up_us += turn.held_up_us;
  window.slept_us += turn.slept_us;
  window.preemptions += turn.preemptions;
  window.major_faults += turn.major_faults;
  window.host_processors = turn.host_processors;
  const auto mean = [&](const std::optional<double>& of_turn, std::optional<double>& of_window) {
    if (!of_turn || window.wall_us <= 0) return;
    of_window = (of_window.value_or(0) * before_us + *of_turn * turn.wall_us) / window.wall_us;
  };
  mean(turn.host_busy, window.host_busy);
  mean(turn.host_stolen, window.host_stolen);
}

void round_all(results::RankLoad& load) {
  for (double* const us : {&load.wall_us, &load.ran_us, &load.held_up_us, &load.slept_us}) {
    *us = std::round(*us);
  }
  if (load.queued_us) load.queued_us = std::round(*load.queued_us);
}

}  // namespace

SoakLoop::SoakLoop(Session& session, const SoakOptions& options,
                   const std::vector<soak::Phase>& plan)
    : session_(session),
      options_(options),
      ports_(session.document().ranks, session.rank()),
      phases_(session, options, plan),
      turns_(plan.size(), options.window),
      intervals_us_(plan.size()) {}

std::vector<double> SoakLoop::measure_unpaced() {
  constexpr std::chrono::milliseconds kTime{500};
  constexpr std::uint64_t kLeast = 5;
  std::vector<double> all;
  all.reserve(intervals_us_.size());
  for (std::size_t phase = 0; phase < intervals_us_.size(); ++phase) {
    (void)phases_.take_turn(phase, {.verified_share = options_.verify});  // buffers are touched
    const auto end = Clock::now() + kTime;
    const auto result =
        phases_.take_turn(phase, {.verified_share = options_.verify, .least = kLeast, .left = [=] {
                                    return end - Clock::now();
                                  }});
    all.push_back(session_.communicator().all_gather(result.leader.p50_us).front());
  }
  return all;
}

void SoakLoop::run(const std::vector<double>& unpaced_us, SoakLeader* leader) {
  for (std::size_t i = 0; i < intervals_us_.size(); ++i) {
    intervals_us_[i] = options_.load < 1 ? unpaced_us.at(i) / options_.load : 0;
  }
  unpaced_us_ = unpaced_us;
  phases_.forget_verification();
  begin_ = Clock::now();
  start_ = std::chrono::system_clock::now();
  usage_ = usage_of_this_process();
  (void)heartbeat_.longest_stood_still();
  while (true) {
    const std::uint64_t order = session_.communicator().broadcast(next_order(leader));
    if (order == finish) break;
    if (order == close_window) {
      end_window(leader);
    } else {
      take_turn(order - first_phase);
    }
  }
  phases_.verify_placement();
  session_.report_wrong_data(complaint_);
}

/// Rank 0's decides.
std::uint64_t SoakLoop::next_order(const SoakLeader* leader) {
  if (leader == nullptr) return finish;
  if (!in_window_) {
    if (leader->is_over() && !leader->awaits_packets()) return finish;
    turns_.begin_window(begin_);
    in_window_ = true;
  }
  const auto phase = turns_.next(Clock::now());
  if (phase) return first_phase + *phase;
  in_window_ = false;
  return close_window;
}

void SoakLoop::take_turn(std::size_t phase) {
  const auto end = turns_.end();
  Phases::Result result = phases_.take_turn(phase, {.interval_us = intervals_us_.at(phase),
                                                    .expected_us = unpaced_us_.at(phase),
                                                    .verified_share = options_.verify,
                                                    .left = [=] { return end - Clock::now(); }});
  if (complaint_.empty()) complaint_ = result.own.complaint;
  add(result.load, load_);
  report_.turns.push_back(std::move(result.own));
  turns_taken_.push_back(std::move(result.leader));
}

void SoakLoop::end_window(SoakLeader* leader) {
  report_.sample = sample();
  let_packets_arrive();
  report_.ports = ports_.next();
  const std::vector<RankReport> reports = gather_reports(session_.communicator(), report_);
  if (leader != nullptr) record(*leader, reports);
  report_ = {};
  load_ = {};
  turns_taken_.clear();
}

/// Acknowledgements and congestion notifications of the last iteration, before they are counted.
void SoakLoop::let_packets_arrive() const {
  constexpr std::chrono::milliseconds kMost{20};
  std::this_thread::sleep_for(std::min<Clock::duration>(options_.window / 50, kMost));
}

/// From here on the next window runs.
soak::RankSample SoakLoop::sample() {
  const ProcessUsage now = usage_of_this_process();
  round_all(load_);
  soak::RankSample sample{
      .load = load_, .resident_bytes = now.resident_bytes, .descriptors = now.descriptors};
  if (const auto still = heartbeat_.longest_stood_still()) {
    sample.stall_us = std::round(std::chrono::duration<double, std::micro>(*still).count());
  }
  const std::chrono::duration<double> used = now.processor - std::exchange(usage_, now).processor;
  if (load_.wall_us > 0) sample.processors = used.count() * kMicro / load_.wall_us;
  return sample;
}

void SoakLoop::record(SoakLeader& leader, const std::vector<RankReport>& reports) {
  soak::Window window =
      window_of(session_.document().ranks, std::exchange(turns_taken_, {}), reports);
  const auto end = Clock::now();
  window.start = std::exchange(start_, std::chrono::system_clock::now());
  window.length_s = std::chrono::duration<double>(end - std::exchange(begin_, end)).count();
  std::vector<results::PortCounters> ports;
  for (const RankReport& report : reports) {
    for (const PortReading& port : report.ports) {
      const soak::PortSample& of = port.sample;
      ports.push_back({.host = of.host,
                       .device = of.device,
                       .port = of.port,
                       .address = of.address,
                       .after = port.counters});
    }
  }
  leader.take(std::move(window), std::move(ports));
  leader.fill(session_.body<results::SoakBody>());
  session_.report_again(leader.report());
  write_document();
}

/// A disk that is full ends no soak: the outcome is printed at the end.
void SoakLoop::write_document() try { session_.write(); } catch (const std::system_error& error) {
  if (!std::exchange(told_, true)) std::cerr << "soak_perf: " << error.what() << std::endl;
}

}  // namespace railgauge::runner
