#include "experiments/collective/collective_run.hpp"

#include <algorithm>
#include <array>

#include "experiments/collective/bad_ending.hpp"
#include "experiments/collective/cross_node.hpp"
#include "experiments/collective/edges.hpp"
#include "experiments/collective/gpu_data.hpp"
#include "job/abort_channel.hpp"
#include "measure/sizes.hpp"
#include "measure/statistics.hpp"
#include "topology/cpu_set.hpp"

namespace railgauge::runner {
namespace {

using executor::Ending;
using schedule::Collective;
using Clock = std::chrono::steady_clock;

constexpr double kShortest = 1e-3;  // microseconds; nothing takes no time

/// A barrier's has to be one that does not mind being given the same twice.
reduce::Operator operator_of(Collective collective, const Combination& combination) {
  const bool repeatedly = traits(collective).combining == schedule::Combining::repeatedly;
  return repeatedly ? reduce::Operator::max : combination.op;
}

reduce::Reduction reduction_of(Collective collective, const Combination& combination,
                               transport::Rank ranks, reduce::WorkerPool& worker_pool) {
  if (combination.point.unreduced) return reduce::no_reduction();
  return reduce::reduction(combination.type, operator_of(collective, combination), ranks)
      .shared_by(worker_pool);
}

/// Data of one group are wrong in another.
measure::Pattern pattern_of(Collective collective, const Combination& combination,
                            const schedule::Groups& groups, schedule::Rank rank) {
  constexpr unsigned kIterationBits = 40;
  measure::Pattern pattern =
      schedule::reduces(collective)
          ? measure::Pattern{combination.type, operator_of(collective, combination), groups.size(),
                             0}
          : measure::pattern_of_copies(reduce::size_bytes(combination.type), groups.size());
  pattern.seed = std::uint64_t{groups.group_of(rank)} << kIterationBits;
  return pattern;
}

std::vector<schedule::Schedule> placed(const CollectiveSession& session,
                                       const std::vector<schedule::Schedule>& of_group) {
  std::vector<schedule::Schedule> all;
  all.reserve(of_group.size());
  for (const schedule::Schedule& one : of_group) all.push_back(session.placed(one));
  return all;
}

std::vector<executor::Offload*> views_of(const Data::Offloads& offloads) {
  std::vector<executor::Offload*> views;
  views.reserve(offloads.size());
  for (const auto& offload : offloads) views.push_back(offload.get());
  return views;
}

results::PerIteration per_iteration_of(const measure::Histogram& later, std::uint64_t skipped) {
  constexpr double kPercent = 100;
  if (later.count() == 0) return {.skipped = skipped};
  return {.skipped = skipped,
          .min_us = later.min_us(),
          .max_us = later.max_us(),
          .p99_us = later.quantile_us(990),
          .variation_percent = kPercent * measure::variation(later)};
}

}  // namespace

CollectiveRun::CollectiveRun(CollectiveSession& session, const Combination& combination,
                             std::vector<schedule::Schedule> schedules)
    : session_(session),
      combination_(combination),
      schedules_(std::move(schedules)),
      placed_(placed(session, schedules_)),
      element_bytes_(reduce::size_bytes(combination.type)),
      planes_(session.planes_of(session.driven_rails(combination.point)[session.rank()])),
      rail_times_(planes_),
      nodes_(nodes_of(session.frame().document().ranks, session.driven_rails(combination.point))),
      near_(near_rails()),
      stripes_(make_stripes()),
      data_(make_data()),
      transports_(connect()),
      binding_(thread_places()),
      offloads_(data_->make_offloads(static_cast<unsigned>(transports_.size()))),
      threads_(
          transports_.views(), static_cast<unsigned>(planes_.size()), executor_settings(),
          [this](unsigned thread) { binding_.settle(thread); }, views_of(offloads_)),
      input_(buffer(most_bytes())),
      output_(buffer(most_bytes())),
      scratch_(buffer(most_scratch_bytes())),
      pattern_(
          pattern_of(session.options().collective, combination, session.groups(), session.rank())),
      geometry_(geometry_of_size(schedules_[0], 0)) {
  share_reductions();
  // Connecting and allocating wait for neighbours only, so ranks far from a slow one come here long
  // before it. Without this their first run would wait for it, and be told as one that hangs.
  session_.communicator().barrier();
  if (threads_.threads() > 1) session_.tell_unbound_threads(binding_.failure());
}

/// Of data in a GPU's memory its node decides, not the rank's; of all-to-all-v the traffic, which
/// a schedule does not know.
NearRails CollectiveRun::near_rails() const {
  const bool by_blocks = traits(session_.options().collective).size != schedule::SizeRule::uneven;
  const bool on_host = combination_.point.memory == results::MemoryKind::host;
  const bool applies = by_blocks && on_host && !combination_.point.own_rails;
  return NearRails(applies ? nodes_ : std::vector<RankNodes>{});
}

/// Collective: both ends of a pair have to take the same rails.
std::vector<executor::Stripes> CollectiveRun::make_stripes() const {
  const bool by_memory = session_.options().same_host == SameHost::memory;
  const executor::Stripes all{static_cast<unsigned>(planes_.size()),
                              combination_.point.queue_pairs};
  std::vector<executor::Stripes> stripes(placed_.size(), all);
  for (std::size_t i = 0; near_.any() && i < placed_.size(); ++i) {
    const bool equally = near_.load_equally(placed_[i], session_.rank(), by_memory);
    const auto others =
        session_.communicator().sum(equally ? 0 : 1, "the check for rails loaded unequally");
    if (others == 0) stripes[i].fewer = near_.of(session_.rank());
  }
  return stripes;
}

/// Of data in a GPU's memory it is not known.
std::vector<std::string> CollectiveRun::cross_node_notes() {
  if (!data_->on_host() || !knows_nodes(nodes_)) return {};
  const bool by_memory = session_.options().same_host == SameHost::memory;
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    CrossNode all = cross_node_of(placed_[i], session_.rank(), stripes_[i], nodes_, by_memory);
    for (std::uint64_t* count : {&all.sent, &all.far})
      *count = session_.communicator().sum(*count, "the count of what crosses NUMA nodes");
    std::string note = cross_node_note(schedules_[i].name, all, nodes_);
    if (!note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

/// A progress thread has at least a rail, and of fewer rails as many as every other.
executor::RankTransports CollectiveRun::connect() const {
  const auto rails = static_cast<unsigned>(planes_.size());
  unsigned threads = std::min(session_.options().progress_threads, rails);
  const bool any = std::ranges::any_of(
      stripes_, [](const executor::Stripes& one) { return !one.fewer.rails.empty(); });
  if (any) threads = near_.threads(threads);
  executor::RankTransports transports;
  for (unsigned number = 0; number < threads; ++number) {
    const executor::RailShare share{number, threads};
    std::vector<executor::Stripes> parts;
    for (const executor::Stripes& one : stripes_) parts.push_back(share.part_of(one));
    Planes planes;
    for (unsigned own = 0; own < parts.front().rails; ++own)
      planes.push_back(planes_[share.rail(own)]);
    transports.add(session_.connect(combination_, planes, placed_, parts));
  }
  return transports;
}

executor::ExecutorSettings CollectiveRun::executor_settings() const {
  return {.chunk_bytes = combination_.point.chunk_bytes,
          .window = session_.options().window,
          .yields = session_.waits_for_processors()};
}

/// Near each one's rails, where that is possible. The first is the rank's own, which stays where it
/// is: threads that it starts later, of MPI, of devices and those that combine, would go with it.
std::vector<topology::CpuSet> CollectiveRun::thread_places() const {
  const auto threads = static_cast<unsigned>(transports_.size());
  std::vector<topology::CpuSet> near(threads);
  for (unsigned rail = 0; rail < planes_.size(); ++rail) {
    near[rail % threads].merge(session_.cpus_near(planes_[rail]));
  }
  std::vector<topology::CpuSet> places = topology::thread_places(session_.frame().own_cpus(), near);
  places.front().clear();
  return places;
}

Buffer CollectiveRun::buffer(std::size_t most) {
  return {[this](std::size_t bytes) { return data_->allocate(threads_, bytes); }, most,
          session_.options().unaligned * element_bytes_, *data_};
}

std::unique_ptr<Data> CollectiveRun::make_data() {
  if (combination_.point.memory == results::MemoryKind::host) return data_on_host();
  const GpuReduce reduce = session_.options().gpu_reduce;
  return data_on_gpu(session_.gpu(),
                     {.reduce = combination_.point.unreduced ? GpuReduce::none : reduce,
                      .type = combination_.type,
                      .op = operator_of(session_.options().collective, combination_),
                      .ranks = session_.groups().size(),
                      .chunk_bytes = combination_.point.chunk_bytes});
}

/// The threads that combine data are divided among those that receive them.
void CollectiveRun::share_reductions() {
  const unsigned parts = threads_.threads();
  const unsigned all = session_.options().reducing_threads;
  for (unsigned part = 0; part < parts; ++part) {
    auto& pool = worker_pools_.emplace_back(std::max((all + parts - 1 - part) / parts, 1U));
    reductions_.push_back(
        reduction_of(session_.options().collective, combination_, session_.groups().size(), pool));
  }
}

Geometry CollectiveRun::geometry_of_size(const schedule::Schedule& schedule,
                                         std::uint64_t bytes) const {
  return geometry_of(schedule, session_.number(), bytes, element_bytes_, session_.traffic());
}

std::size_t CollectiveRun::most_bytes() const {
  return geometry_of_size(schedules_[0], session_.options().max_bytes).buffer_bytes(element_bytes_);
}

std::size_t CollectiveRun::most_scratch_bytes() const {
  std::size_t most = 0;
  for (const schedule::Schedule& schedule : schedules_) {
    const Geometry largest = geometry_of_size(schedule, session_.options().max_bytes);
    most = std::max(most, executor::scratch_bytes(schedule, largest.layout, element_bytes_));
  }
  return most;
}

/// By the rank among all.
std::function<schedule::Layout(schedule::Rank)> CollectiveRun::layout_of_all() const {
  return [this](schedule::Rank rank) {
    return geometry_.layout_of(session_.groups().number_of(rank));
  };
}

measure::TimingRule CollectiveRun::timing_rule(bool in_place) const {
  measure::TimingRule rule = session_.options().timing;
  if (in_place && schedule::separate_buffers(session_.options().collective)) rule.verified = 0;
  if (combination_.point.unreduced) rule.verified = 0;  // there is no result
  if (session_.options().per_iteration) rule.kept = results::Measurement::kMostKept;
  return rule;
}

results::CollectiveRow CollectiveRun::load(std::size_t number, std::uint64_t bytes) {
  const Collective collective = session_.options().collective;
  current_ = number;
  geometry_ = geometry_of_size(schedule(), bytes);
  threads_.load(placed_[current_], session_.rank(), layout_of_all(), element_bytes_,
                stripes_[current_]);
  input_.guard(used_bytes());
  output_.guard(used_bytes());
  scratch_.guard(executor::scratch_bytes(schedule(), geometry_.layout, element_bytes_));
  const bool has_op = schedule::traits(collective).combining == schedule::Combining::once &&
                      !combination_.point.unreduced;
  results::CollectiveRow row{.size_bytes = geometry_.size_bytes,
                             .count = geometry_.count,
                             .type = std::string(reduce::name(combination_.type)),
                             .op = has_op ? std::string(reduce::name(combination_.op)) : "none",
                             .algorithm = schedule().name,
                             .point = combination_.point,
                             .measured = std::chrono::system_clock::now()};
  if (!schedule::rooted(collective)) row.point.root = -1;
  watch_.restart();
  return row;
}

double CollectiveRun::calibrate(int iterations) {
  const measure::TimingRule rule{.stopping = {.iterations = static_cast<std::uint64_t>(iterations)},
                                 .verified = 0};
  const measure::Timing timing = time(input_.region(), rule);
  return timing.times.count() == 0 ? 0 : timing.times.quantile_us(500);
}

results::Measurement CollectiveRun::measure(results::BufferMode mode) {
  const bool in_place = mode == results::BufferMode::in_place;
  forget_wrong();
  (void)data_->take_device_time();
  const measure::Timing timing =
      time(in_place ? output_.region() : input_.region(), timing_rule(in_place));
  results::Measurement measurement = measurement_of(timing);
  measurement.gpu = gpu_work(session_.frame().iterations().done());
  if (session_.options().per_iteration)
    measurement.iteration_us = transport::all_gather(session_.communicator(), timing.kept_us);
  measurement.rails = rail_times_.results(
      session_.communicator(), session_.planes_of(combination_.point.rails), sent_by_plane());
  results::share_bandwidth(measurement.rails, measurement.busbw_gigabytes_per_second,
                           measurement.time.p50_us);
  // Nobody goes on to take down queue pairs that a peer may still have to send to again.
  session_.communicator().barrier();
  if (timing.verified > 0)
    measurement.wrong = session_.communicator().sum(wrong_, "the count of wrong elements");
  if (measurement.wrong.value_or(0) > 0) {
    session_.frame().report_wrong_data(data_error_);
    trace();
  }
  return measurement;
}

/// Of the rank whose GPU worked longest.
std::optional<results::GpuWork> CollectiveRun::gpu_work(std::uint64_t iterations) {
  if (data_->on_host()) return std::nullopt;
  const Data::DeviceTime own = data_->take_device_time();
  const auto longest = [&](std::chrono::nanoseconds time) {
    const double each = std::chrono::duration<double, std::micro>(time).count() /
                        static_cast<double>(std::max<std::uint64_t>(iterations, 1));
    return std::ranges::max(session_.communicator().all_gather(each));
  };
  return results::GpuWork{.combining_us = longest(own.combining),
                          .copying_us = longest(own.copying)};
}

void CollectiveRun::add_evidence(results::CollectiveRow& row) {
  const results::RankLoad load = watch_.now();
  end_well(threads_.exchange_samples(limits()));
  row.edges = edges_of_all_ranks(session_, threads_, combination_.point);
  row.rank_loads = cluster::gather(session_.communicator(), load);
}

void CollectiveRun::begin_turn() {
  forget_wrong();
  prepare(input_.region());
  rail_times_.begin(sent_by_plane(), 0);
}

measure::Iteration CollectiveRun::iteration() {
  return {.run = [this] { return run_once(input_.region()); },
          .prepare = [this] { prepare(input_.region()); },
          .verify = [this] { verify(); }};
}

CollectiveRun::Turn CollectiveRun::end_turn() {
  Turn turn{
      .data_error = data_error_, .rails = rail_times_.own(sent_by_plane()), .load = watch_.now()};
  end_well(threads_.exchange_samples(limits()));
  turn.edges = own_edges(session_, threads_, combination_.point);
  turn.wrong = session_.communicator().sum(wrong_, "the count of wrong elements");
  if (turn.wrong > 0) {
    turn.finding = trace_wrong_data(session_, schedule(), wrong_blocks_, planes_);
  }
  return turn;
}

void CollectiveRun::verify_placement() {
  if (!data_->on_host()) return session_.frame().verify_placement({});
  const std::array<std::span<const std::byte>, 2> buffers{input_.bytes(used_bytes()),
                                                          output_.bytes(used_bytes())};
  session_.frame().verify_placement(buffers);
}

/// Over its ports; what ranks of a host share memory for is not.
std::vector<std::uint64_t> CollectiveRun::sent_by_plane() const {
  std::vector<std::uint64_t> bytes(planes_.size());
  for (transport::Channel channel = 0; channel < threads_.channels().size(); ++channel) {
    const transport::ChannelRequest& request = threads_.channels()[channel];
    if (session_.shares_memory_with(request.peer)) continue;
    bytes[request.rail] += threads_.traffic(channel).bytes;
  }
  return bytes;
}

measure::Timing CollectiveRun::time(const transport::Region& input,
                                    const measure::TimingRule& rule) {
  prepare(input);
  rail_times_.begin(sent_by_plane(), rule.warm_up);
  const measure::StoppingRule& stopping = rule.stopping;
  const bool known = !stopping.duration && !stopping.interval;
  session_.frame().iterations().begin(known ? rule.warm_up + stopping.iterations * rule.collectives
                                            : 0);
  return measure::time_iterations({.run = [&] { return run_once(input); },
                                   .prepare = [&] { prepare(input); },
                                   .verify = [&] { verify(); }},
                                  rule, session_.communicator());
}

executor::RunLimits CollectiveRun::limits() {
  job::AbortChannel& abort_channel = session_.communicator().abort_channel();
  if (job::caught_signal() != 0) abort_channel.check();
  return {Clock::now() + session_.frame().options().limit,
          [&abort_channel] { return abort_channel.raised(); }};
}

void CollectiveRun::end_well(const executor::Outcome& outcome) {
  if (outcome.ending == Ending::done) return;
  const std::string operation = "during " + session_.program().collective + " (" + schedule().name +
                                ") of " + measure::format_size(geometry_.size_bytes);
  fail(outcome, "the collective", operation, session_.communicator().abort_channel(),
       session_.frame().options().limit);
}

std::chrono::nanoseconds CollectiveRun::run_once(const transport::Region& input) {
  const executor::Outcome outcome =
      threads_.run(reductions_, {output_.region(), input, scratch_.region()}, limits());
  end_well(outcome);
  rail_times_.record(threads_.rail_times());
  watch_.add_sleep(outcome.slept, outcome.descheduled);
  session_.frame().iterations().count();
  return outcome.waited;
}

double CollectiveRun::busbw_gigabytes_per_second(double microseconds) const {
  return measure::busbw_gigabytes_per_second(
      measure::algbw_gigabytes_per_second(geometry_.size_bytes, std::max(microseconds, kShortest)),
      schedule::bus_factor(session_.options().collective, session_.groups().size()));
}

results::Measurement CollectiveRun::measurement_of(const measure::Timing& timing) {
  results::Measurement measurement;
  measurement.rank_medians_us = timing.medians_us;
  measurement.rank_own_us = timing.own_us;
  measurement.verified_iterations = timing.verified;
  measurement.verification_us =
      std::chrono::duration<double, std::micro>(timing.verification).count();
  measurement.stopped_by = timing.stopped_by;
  if (timing.times.count() == 0) return measurement;  // rank 0 has them
  measurement.time = measure::summarize(timing.times);
  measurement.median_interval = measure::median_interval(timing.times);
  measurement.bimodal = measure::is_bimodal(timing.times);
  measurement.histogram = timing.times.bins();
  if (session_.options().per_iteration) {
    measurement.per_iteration = per_iteration_of(timing.later, session_.options().timing.skipped);
  }
  const double p50_us = std::max(measurement.time.p50_us, kShortest);
  measurement.algbw_gigabytes_per_second =
      measure::algbw_gigabytes_per_second(geometry_.size_bytes, p50_us);
  measurement.busbw_gigabytes_per_second = busbw_gigabytes_per_second(p50_us);
  if (session_.program().algbw_of_moved) {
    measurement.algbw_gigabytes_per_second = measurement.busbw_gigabytes_per_second;
  }
  measurement.line_rate_percent =
      session_.line_rate_percent(combination_.point, measurement.busbw_gigabytes_per_second);
  return measurement;
}

}  // namespace railgauge::runner
