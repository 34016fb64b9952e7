#include "experiments/job/task_run.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "reduce/reduction.hpp"
#include "schedule/algorithms.hpp"
#include "schedule/groups.hpp"

namespace railgauge::runner {
namespace {

using schedule::Collective;
using schedule::Layout;
using schedule::SizeRule;
using workload::Job;
using workload::Kind;
using workload::NamedOperation;
using workload::Task;

const NamedOperation& operation_of(const Job& job, const Task& task) {
  return job.operations[task.operation];
}

bool is_transfer(const Job& job, const Task& task) {
  return operation_of(job, task).kind == Kind::send;
}

std::size_t element_bytes_of(const Job& job, const Task& task) {
  const NamedOperation& operation = operation_of(job, task);
  const bool combines = !is_transfer(job, task) && schedule::reduces(operation.type);
  return combines ? reduce::size_bytes(operation.data) : 1;
}

reduce::Operator operator_of(Collective collective) {
  return collective == Collective::barrier ? reduce::Operator::max : reduce::Operator::sum;
}

/// A number of its own, so that data of one task are wrong in another.
measure::Pattern pattern_of(const Job& job, std::uint32_t number) {
  constexpr unsigned kStepBits = 32;
  const Task& task = job.tasks[number];
  const auto members = static_cast<std::uint32_t>(task.members.size());
  const NamedOperation& operation = operation_of(job, task);
  const bool combines = !is_transfer(job, task) && schedule::reduces(operation.type);
  measure::Pattern pattern =
      combines ? measure::Pattern{operation.data, operator_of(operation.type), members, 0}
               : measure::pattern_of_copies(1, members);
  pattern.seed = std::uint64_t{number} << kStepBits;
  return pattern;
}

Geometry listed(const Task& task, schedule::Rank number) {
  const auto blocks = std::make_shared<const Blocks>(
      task.members.size(), std::vector<std::size_t>(task.pairs.begin(), task.pairs.end()));
  const auto layout_of = [blocks](schedule::Rank of) {
    return Layout::listed(blocks->to(of), blocks->from(of), blocks->most());
  };
  return {blocks->most(), 0, layout_of(number), layout_of};
}

}  // namespace

std::vector<std::vector<std::uint32_t>> rounds_of(const Job& job) {
  std::vector<std::vector<std::uint32_t>> rounds;
  std::vector<std::vector<bool>> taken;  // [round][rank]
  const auto part_of = [&](std::uint32_t task) {
    return job.operations[job.tasks[task].operation].part;
  };
  const auto fits = [&](std::uint32_t number, std::size_t round) {
    return part_of(number) == part_of(rounds[round].front()) &&
           std::ranges::none_of(job.tasks[number].members,
                                [&](schedule::Rank rank) { return taken[round][rank]; });
  };
  for (std::uint32_t number = 0; number < job.tasks.size(); ++number) {
    const workload::Task& task = job.tasks[number];
    std::size_t round = 0;
    while (round < rounds.size() && !fits(number, round)) ++round;
    if (round == rounds.size()) {
      rounds.emplace_back();
      taken.emplace_back(job.ranks);
    }
    rounds[round].push_back(number);
    for (const schedule::Rank rank : task.members) taken[round][rank] = true;
  }
  return rounds;
}

schedule::Schedule schedule_of(const Job& job, const Task& task, std::uint64_t small_bytes,
                               std::string_view small_algorithm) {
  const auto members = static_cast<schedule::Rank>(task.members.size());
  if (is_transfer(job, task)) return schedule::binomial_broadcast(members, 0);
  const Collective type = operation_of(job, task).type;
  const bool small = !small_algorithm.empty() && task.bytes <= small_bytes;
  const schedule::Algorithm& algorithm =
      small ? *schedule::find_algorithm(type, small_algorithm) : schedule::algorithms(type).front();
  return algorithm.make({.ranks = members});
}

Geometry geometry_of(const Job& job, const Task& task, const schedule::Schedule& schedule,
                     schedule::Rank number) {
  const std::size_t elements = task.bytes / element_bytes_of(job, task);
  const auto alike = [&](const Layout& layout) {
    return Geometry{task.bytes, elements, layout, [layout](schedule::Rank) { return layout; }};
  };
  switch (schedule::traits(schedule.collective).size) {
    case SizeRule::vector: return alike(Layout::whole(elements, schedule.blocks));
    case SizeRule::per_rank: return alike(Layout::each(elements / schedule.ranks, schedule.blocks));
    case SizeRule::single: return alike(Layout::each(elements, 1));
    case SizeRule::uneven: return listed(task, number);
    case SizeRule::none: break;
  }
  return alike(Layout::each(1, 1));
}

TaskRun::TaskRun(const Job& job, std::uint32_t task, const schedule::Schedule& schedule,
                 schedule::Rank rank, std::unique_ptr<transport::Transport> wire, Planes planes,
                 const executor::Stripes& stripes, const executor::ExecutorSettings& settings)
    : name_(job.describe(job.tasks[task])),
      schedule_(schedule),
      number_(static_cast<schedule::Rank>(std::ranges::find(job.tasks[task].members, rank) -
                                          job.tasks[task].members.begin())),
      transfers_(is_transfer(job, job.tasks[task])),
      element_bytes_(element_bytes_of(job, job.tasks[task])),
      geometry_(geometry_of(job, job.tasks[task], schedule, number_)),
      wire_(std::move(wire)),
      planes_(std::move(planes)),
      executor_(*wire_, settings),
      used_(geometry_.buffer_bytes(element_bytes_)),
      output_(buffer(used_)),
      input_(transfers_ ? std::nullopt : std::optional(buffer(used_))),
      scratch_(buffer(executor::scratch_bytes(schedule, geometry_.layout, element_bytes_))),
      regions_{output_.region(), input_ ? input_->region() : output_.region(), scratch_.region()},
      reduction_(reduce::reduction(operation_of(job, job.tasks[task]).data,
                                   operator_of(schedule.collective), schedule.ranks)),
      pattern_(pattern_of(job, task)),
      first_seed_(pattern_.seed) {
  const std::vector<schedule::Rank>& members = job.tasks[task].members;
  const auto layout_of = [&](schedule::Rank of) {
    return geometry_.layout_of(
        static_cast<schedule::Rank>(std::ranges::find(members, of) - members.begin()));
  };
  executor_.load(executor::make_plan(schedule::among(schedule, members), rank, layout_of,
                                     element_bytes_, stripes, wire_->channels()));
}

Buffer TaskRun::buffer(std::size_t bytes) {
  Buffer made([this](std::size_t size) { return wire_->allocate(size); }, bytes, 0);
  made.guard(bytes);
  return made;
}

std::chrono::nanoseconds TaskRun::time_on(std::size_t plane) const {
  const auto times = executor_.rail_times();
  return plane < times.size() ? times[plane] : std::chrono::nanoseconds{0};
}

void TaskRun::prepare(std::uint64_t step) {
  constexpr int kGarbage = 0xa5;
  pattern_.seed = first_seed_ + step;
  std::memset(output_.region().data, kGarbage, used_);
  if (input_) {
    measure::fill_input(pattern_, number_, input_->bytes(used_));
  } else if (number_ == 0) {
    measure::fill_input(pattern_, number_, output_.bytes(used_));
  }
}

TaskRun::Verdict TaskRun::verify() const {
  Verdict verdict;
  const auto complain = [&](std::uint64_t wrong, const std::string& what) {
    if (verdict.wrong == 0) verdict.first = name_ + " (" + schedule_.name + "), " + what;
    verdict.wrong += wrong;
  };
  for (schedule::Block block = 0; block < schedule_.blocks; ++block) {
    if (!schedule::is_output(schedule_, number_, block)) continue;
    const measure::Verdict found = verdict_on(block);
    if (found.wrong > 0)
      complain(found.wrong, "block " + std::to_string(block) + ": " + std::to_string(found.wrong) +
                                " wrong elements; of the input, " + found.first);
  }
  for (const Buffer* buffer : {&output_, input_ ? &*input_ : nullptr, &scratch_}) {
    const std::string broken = buffer == nullptr ? "" : buffer->broken();
    if (!broken.empty()) complain(1, broken);
  }
  return verdict;
}

measure::Verdict TaskRun::verdict_on(schedule::Block block) const {
  const auto [begin, end] = geometry_.layout.span({block, 1});
  const auto found =
      output_.bytes(used_).subspan(begin * element_bytes_, (end - begin) * element_bytes_);
  if (schedule::reduces(schedule_.collective))
    return measure::verify_reduction(pattern_, begin, found);
  const schedule::Place source = schedule::source_of(schedule_, number_, block);
  return measure::verify_copy(pattern_, source.rank, geometry_.input_begin(schedule_, source),
                              found);
}

}  // namespace railgauge::runner
