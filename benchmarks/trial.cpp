#include "benchmarks/trial.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <system_error>

#include "benchmarks/interruption.hpp"
#include "measure/bandwidth.hpp"
#include "measure/statistics.hpp"
#include "transport/host_aware.hpp"

namespace railgauge::benchmarks {
namespace {

using executor::Ending;
using results::Failure;
using Clock = std::chrono::steady_clock;

/// Why connecting failed: the fabric, or this host.
Failure::Kind kind_of(const std::error_code& code) {
  if (code == std::errc::timed_out) return Failure::Kind::time_out;
  for (const auto fabric : {std::errc::connection_refused, std::errc::connection_reset,
                            std::errc::host_unreachable, std::errc::network_unreachable}) {
    if (code == fabric) return Failure::Kind::transport;
  }
  return Failure::Kind::environment;
}

// More than a calibration ever takes.
constexpr std::size_t kMostCalibrationIterations = 100;

std::unique_ptr<transport::Transport> connect(Session& session,
                                              const std::vector<schedule::Schedule>& schedules,
                                              const executor::Stripes& stripes) {
  transport::VerbsSettings settings;
  settings.connect = session.options().connect;
  settings.connect_limit = session.options().time_limit;
  settings.look_up = [&session] { session.world().alarm().check(); };
  settings.host = session.world().host();
  const auto lanes = executor::lanes_of(schedules, session.world().rank(), stripes);
  const auto on_this_host = [&](transport::Rank peer) { return session.is_on_this_host(peer); };
  try {
    if (session.options().same_host == SameHost::memory) {
      return transport::connect_host_aware(session.world(), session.rails(), lanes, on_this_host,
                                           settings);
    }
    return transport::connect_verbs(session.world(), session.rails(), lanes, settings);
  } catch (const std::system_error& error) {
    throw RunFailure(kind_of(error.code()), error.what());
  }
}

/// A barrier's has to be one that does not mind being given the same twice.
reduce::Operator operator_of(const Options& options) {
  const bool barrier = options.collective == schedule::Collective::barrier;
  return barrier ? reduce::Operator::max : options.op;
}

measure::Pattern pattern_of(const Options& options, transport::Rank ranks) {
  if (schedule::reduces(options.collective)) return {options.type, operator_of(options), ranks, 0};
  return measure::pattern_of_copies(reduce::size_bytes(options.type), ranks);
}

[[noreturn]] void fail(const executor::Outcome& outcome, Alarm& alarm, std::chrono::seconds limit) {
  if (outcome.ending == Ending::deadline) {
    throw RunFailure(Failure::Kind::time_out, "the collective did not end within " +
                                                  std::to_string(limit.count()) +
                                                  " s: " + outcome.report);
  }
  if (outcome.ending == Ending::failed) throw RunFailure(Failure::Kind::transport, outcome.report);
  try {
    alarm.check();
  } catch (const RunFailure& stop) {
    throw RunFailure(stop.kind, std::string(stop.what()) + ": " + outcome.report);
  }
  throw RunFailure(Failure::Kind::stopped, outcome.report);
}

}  // namespace

Trial::Trial(Session& session, std::vector<schedule::Schedule> schedules)
    : session_(session),
      schedules_(std::move(schedules)),
      element_bytes_(reduce::size_bytes(session.options().type)),
      stripes_{static_cast<unsigned>(session.rails().size()), session.options().queue_pairs},
      transport_(connect(session, schedules_, stripes_)),
      executor_(*transport_,
                {.piece_bytes = session.options().slice_bytes, .window = session.options().window}),
      input_(transport_->allocate(most_bytes())),
      output_(transport_->allocate(most_bytes())),
      scratch_(transport_->allocate(most_scratch_bytes())),
      reduction_(reduce::reduction(session.options().type, operator_of(session.options()),
                                   session.ranks())),
      pattern_(pattern_of(session.options(), session.ranks())),
      times_(std::max(static_cast<std::size_t>(session.options().iterations),
                      kMostCalibrationIterations)) {}

std::size_t Trial::most_bytes() const {
  const Geometry largest = geometry_of(schedules_[0], session_.options().max_bytes, element_bytes_);
  return largest.buffer_bytes(element_bytes_);
}

std::size_t Trial::most_scratch_bytes() const {
  std::size_t most = 0;
  for (const schedule::Schedule& schedule : schedules_) {
    const Geometry largest = geometry_of(schedule, session_.options().max_bytes, element_bytes_);
    most = std::max(most, executor::scratch_bytes(schedule, largest.layout, element_bytes_));
  }
  return most;
}

bool Trial::takes_in_place() const {
  return !schedule::apart(session_.options().collective) &&
         session_.options().collective != schedule::Collective::barrier;
}

results::Row Trial::load(std::size_t schedule, std::uint64_t bytes) {
  const Options& options = session_.options();
  current_ = schedule;
  geometry_ = geometry_of(this->schedule(), bytes, element_bytes_);
  executor_.load(executor::make_plan(this->schedule(), session_.world().rank(), geometry_.layout,
                                     element_bytes_, stripes_, transport_->lanes()));
  const bool has_op =
      schedule::reduces(options.collective) && options.collective != schedule::Collective::barrier;
  return {.size_bytes = geometry_.size_bytes,
          .count = geometry_.count,
          .type = std::string(reduce::name(options.type)),
          .op = has_op ? std::string(reduce::name(options.op)) : "none",
          .root = schedule::rooted(options.collective) ? options.root : -1,
          .algorithm = this->schedule().name};
}

double Trial::calibrate(int iterations) {
  fill(input_);
  time_iterations(input_, iterations, false);
  const std::vector<double> slowest = session_.world().maximum(times_.microseconds());
  session_.world().barrier();
  return measure::summarize(slowest).p50_us;
}

results::Placement Trial::measure(Placement placement) {
  const Options& options = session_.options();
  const bool in_place = placement == Placement::in_place;
  const transport::Region& input = in_place ? output_ : input_;
  const bool checked = options.check_iterations > 0;
  std::uint64_t wrong = 0;
  wrong_.clear();
  for (int i = 0; i < options.check_iterations; ++i) wrong += check_once(input);
  fill(input);
  time_iterations(input, options.iterations, checked && !in_place);
  const std::vector<double> slowest = session_.world().maximum(times_.microseconds());
  // In place, the timed iterations reduce what the ones before have left, which nobody can
  // foretell.
  if (checked && !in_place) wrong += verify();

  results::Placement result;
  result.time = measure::summarize(slowest);
  result.algbw_gigabytes_per_second =
      measure::algbw_gigabytes_per_second(geometry_.size_bytes, std::max(result.time.p50_us, 1e-3));
  result.busbw_gigabytes_per_second = measure::busbw_gigabytes_per_second(
      result.algbw_gigabytes_per_second,
      schedule::bus_factor(options.collective, session_.ranks()));
  // Nobody goes on to take down queue pairs that a peer may still have to send to again.
  session_.world().barrier();
  if (!checked) return result;
  result.wrong = session_.world().sum(wrong);
  if (*result.wrong > 0) session_.report_wrong_data(wrong_);
  return result;
}

void Trial::time_iterations(const transport::Region& input, int iterations, bool verify_last) {
  const Options& options = session_.options();
  times_.clear();
  session_.world().barrier();
  for (int i = 0; i < options.warmup_iterations; ++i) run_once(input);
  auto begin = Clock::now();
  for (int i = 0; i < iterations; ++i) {
    if (verify_last && i + 1 == iterations) {
      spoil_output();  // it holds the right result from the iterations before
      session_.world().barrier();
      begin = Clock::now();
    }
    run_once(input);
    const auto end = Clock::now();
    times_.record(end - begin);
    begin = end;
  }
}

void Trial::run_once(const transport::Region& input) {
  Alarm& alarm = session_.world().alarm();
  if (caught_signal() != 0) alarm.check();
  const auto limit = session_.options().time_limit;
  const executor::Patience patience{Clock::now() + limit, [&alarm] { return alarm.rings(); }};
  const executor::Outcome outcome = executor_.run(reduction_, {output_, input, scratch_}, patience);
  if (outcome.ending != Ending::done) fail(outcome, alarm, limit);
}

/// New data, so that nothing left over from before can pass for a result.
void Trial::fill(const transport::Region& input) {
  ++pattern_.seed;
  spoil_output();
  measure::fill_input(pattern_, session_.world().rank(), used(input));
}

void Trial::spoil_output() {
  constexpr int kGarbage = 0xa5;
  std::memset(output_.data, kGarbage, used(output_).size());
}

std::uint64_t Trial::check_once(const transport::Region& input) {
  fill(input);
  run_once(input);
  return verify();
}

std::uint64_t Trial::verify() {
  std::uint64_t wrong = 0;
  for (schedule::Block block = 0; block < schedule().blocks; ++block) {
    if (!schedule::is_output(schedule(), session_.world().rank(), block)) continue;
    const measure::Verdict verdict = verify_block(block);
    wrong += verdict.wrong;
    if (verdict.wrong == 0 || !wrong_.empty()) continue;
    wrong_ = schedule().name + ", " + std::to_string(geometry_.size_bytes) + " bytes, block " +
             std::to_string(block) + ": " + std::to_string(verdict.wrong) +
             " wrong elements; of the input, " + verdict.first;
  }
  return wrong;
}

/// Patterns of copies may have smaller elements than the data: positions are theirs.
measure::Verdict Trial::verify_block(schedule::Block block) const {
  const std::size_t parts = element_bytes_ / reduce::size_bytes(pattern_.type);
  const auto [begin, end] = geometry_.layout.span({block, 1});
  const auto found = used(output_).subspan(begin * element_bytes_, (end - begin) * element_bytes_);
  if (schedule::reduces(schedule().collective)) {
    return measure::verify_reduction(pattern_, begin * parts, found);
  }
  const auto source = schedule::source_of(schedule(), session_.world().rank(), block);
  const schedule::Block number = source.block % schedule().blocks;
  const std::size_t first = geometry_.layout.span({number, 1}).begin * parts;
  return measure::verify_copy(pattern_, source.rank, first, found);
}

std::span<std::byte> Trial::used(const transport::Region& region) const {
  return {region.data, geometry_.buffer_bytes(element_bytes_)};
}

}  // namespace railgauge::benchmarks
