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

std::unique_ptr<transport::Transport> connect(Session& session,
                                              const schedule::Schedule& schedule) {
  transport::VerbsSettings settings;
  settings.connect = session.options().connect;
  settings.connect_limit = session.options().time_limit;
  settings.look_up = [&session] { session.world().alarm().check(); };
  settings.host = session.world().host();
  const auto rails = static_cast<unsigned>(session.rails().size());
  const auto lanes = executor::lanes_of(schedule, session.world().rank(), rails);
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

Trial::Trial(Session& session, const schedule::Schedule& schedule)
    : session_(session),
      schedule_(schedule),
      transport_(connect(session, schedule)),
      executor_(*transport_, {}),
      input_(transport_->allocate(static_cast<std::size_t>(session.options().max_bytes))),
      output_(transport_->allocate(static_cast<std::size_t>(session.options().max_bytes))),
      kernel_(reduce::kernel(session.options().type, session.options().op)),
      pattern_{session.options().type, session.options().op, session.ranks(), 0},
      times_(static_cast<std::size_t>(session.options().iterations)) {}

results::Row Trial::load(std::uint64_t bytes) {
  const Options& options = session_.options();
  const std::size_t element_bytes = reduce::size_bytes(options.type);
  const std::size_t count = bytes / element_bytes;
  bytes_ = count * element_bytes;
  const auto rails = static_cast<unsigned>(session_.rails().size());
  executor_.load(executor::make_plan(schedule_, session_.world().rank(),
                                     schedule::Layout::whole(count, schedule_.blocks),
                                     element_bytes, rails, transport_->lanes()));
  return {.size_bytes = bytes_,
          .count = count,
          .type = std::string(reduce::name(options.type)),
          .op = std::string(reduce::name(options.op)),
          .algorithm = schedule_.name};
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
  time_iterations(input);
  const std::vector<double> slowest = session_.world().maximum(times_.microseconds());
  // In place, the timed iterations reduce what the ones before have left, which nobody can
  // foretell.
  if (checked && !in_place) wrong += verify();

  results::Placement result;
  result.time = measure::summarize(slowest);
  result.algbw_gigabytes_per_second =
      measure::algbw_gigabytes_per_second(bytes_, std::max(result.time.p50_us, 1e-3));
  result.busbw_gigabytes_per_second = measure::busbw_gigabytes_per_second(
      result.algbw_gigabytes_per_second,
      schedule::bus_factor(schedule_.collective, schedule_.ranks));
  // Nobody goes on to take down queue pairs that a peer may still have to send to again.
  session_.world().barrier();
  if (!checked) return result;
  result.wrong = session_.world().sum(wrong);
  if (*result.wrong > 0) session_.report_wrong_data(wrong_);
  return result;
}

void Trial::time_iterations(const transport::Region& input) {
  const Options& options = session_.options();
  const bool last_is_verified = options.check_iterations > 0 && input.id != output_.id;
  times_.clear();
  session_.world().barrier();
  for (int i = 0; i < options.warmup_iterations; ++i) run_once(input);
  auto begin = Clock::now();
  for (int i = 0; i < options.iterations; ++i) {
    if (last_is_verified && i + 1 == options.iterations) {
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
  const executor::Outcome outcome = executor_.run(kernel_, input, output_, patience);
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
  std::memset(output_.data, kGarbage, bytes_);
}

std::uint64_t Trial::check_once(const transport::Region& input) {
  fill(input);
  run_once(input);
  return verify();
}

std::uint64_t Trial::verify() {
  const measure::Verdict verdict = measure::verify_reduction(pattern_, used(output_));
  if (verdict.wrong > 0 && wrong_.empty()) {
    wrong_ = std::to_string(bytes_) + " bytes: " + std::to_string(verdict.wrong) +
             " wrong elements; " + verdict.first;
  }
  return verdict.wrong;
}

std::span<std::byte> Trial::used(const transport::Region& region) const {
  return {region.data, bytes_};
}

}  // namespace railgauge::benchmarks
