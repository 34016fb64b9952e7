#include "experiments/soak/soak_options.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "measure/sizes.hpp"
#include "options/shared.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::runner {
namespace {

using options::OptionTable;
using options::percent;
using options::seconds;
using options::size;
using options::Syntax;
using options::text;
using options::throw_expected;

constexpr std::int64_t kYear = 366LL * 24 * 3600;

bool can_soak(const schedule::CollectiveTraits& traits) {
  using schedule::SizeRule;
  return traits.size != SizeRule::none && traits.size != SizeRule::uneven &&
         !schedule::rooted(traits.collective);
}

/// Those without a root: every rank does the same, and can be held against the others.
std::vector<std::string> collective_names() {
  std::vector<std::string> names;
  for (const auto& traits : schedule::collectives()) {
    if (can_soak(traits)) names.emplace_back(traits.name);
  }
  return names;
}

Syntax<std::string> collective_name() {
  const std::vector<std::string> names = collective_names();
  const auto parse = [names](const std::string& word) {
    if (std::ranges::count(names, word) == 0) throw_expected(word, names);
    return word;
  };
  return {"NAME", parse, [](const std::string& word) { return word; }, names};
}

void add_times(OptionTable& table, SoakOptions& options) {
  table.group("Duration and load");
  table.scalar("--duration", options.duration, seconds(1, kYear),
               "Run time, excluding interruptions; the current window is completed");
  table.scalar("--window", options.window, seconds(1, 3600),
               "Length of a sampling window; the record has a line for each");
  table.scalar("--load", options.load, percent(),
               "Load, as a share of each phase's full throughput, which is measured at the start; "
               "100%: unpaced");
  table.scalar("--verify", options.verify, percent(),
               "Share of the time for verification, within the pauses of --load; 100%: every "
               "iteration is verified, which lowers the load");
}

Syntax<std::string> cause_name() {
  std::vector<std::pair<std::string, std::string>> names;
  names.reserve(soak::kCauses.size());
  for (const finding::Cause cause : soak::kCauses) names.emplace_back(word(cause), word(cause));
  auto syntax = options::choice(std::move(names));
  syntax.unit = "CAUSE";  // all of them do not fit into a line
  return syntax;
}

void add_verdict(OptionTable& table, SoakOptions& options) {
  table.group("Outcome");
  table.axis("--fail-on", options.fail_on, cause_name(),
             "Causes that fail the soak, such as packet-loss or latency; others are warnings. A "
             "wrong word lists them (default: errors, but latency and bandwidth)");
  table.optional("--outage", options.outage, percent(),
                 "Share of its own past rate below which a rail is out of service, which fails the "
                 "soak (default: 50%; on software devices 30%)");
}

void add_plan(OptionTable& table, SoakOptions& options) {
  table.group("Phases, which repeat in turn");
  table.axis("--collectives", options.collectives, collective_name(),
             "Collectives to run in turn, in this order, for each size");
  table.axis("--sizes", options.sizes, size(),
             "Sizes to run (default: 64K,1M,16M,128M; on software devices 4K,64K,1M)");
  table.scalar(rails_in_use(), options.rails);
  table.scalar("--plan", options.plan_file, text("PATH"),
               "File with one phase per line, instead: all_reduce 64M rails=0+1 algo=ring");
}

void add_transport(OptionTable& table, SoakOptions& options) {
  table.group("Transport");
  table.scalar(options::traffic_class(), options.traffic_class);
  table.scalar(options::queue_pairs(kMostQueuePairs), options.queue_pairs);
  table.scalar(options::memory(), options.memory);
  table.scalar(gpu_reduce(), options.transport.gpu_reduce);
  table.scalar(reducing_threads(), options.transport.reducing_threads);
  table.scalar(progress_threads(), options.transport.progress_threads);
  table.scalar(connect(), options.transport.connect);
  table.scalar(same_host(), options.transport.same_host);
}

void add_record(OptionTable& table, SoakOptions& options) {
  table.group("Record");
  table.scalar("--record", options.record_file, text("PATH"),
               "Samples, findings and gaps as JSON Lines, railgauge/soak/2 (default: soak.jsonl, "
               "where the result document is)");
  table.scalar("--resume", options.resume_file, text("PATH"),
               "Record of the soak to continue; plan, window, load and duration are taken from it "
               "unless given. The time in between is a gap");
}

const schedule::CollectiveTraits& traits_of(const std::string& name) {
  const auto found = schedule::collective(name);
  if (found && can_soak(schedule::traits(*found))) return schedule::traits(*found);
  std::string known;
  for (const std::string& one : collective_names()) known += (known.empty() ? "" : ", ") + one;
  throw std::invalid_argument("unknown collective '" + name + "': expected one of " + known);
}

std::string algorithm_of(const soak::PlannedPhase& planned, schedule::Collective collective) {
  if (planned.algorithm.empty()) return std::string(schedule::algorithms(collective).front().name);
  const auto* const found = schedule::find_algorithm(collective, planned.algorithm);
  if (found != nullptr) return std::string(found->name);
  throw std::invalid_argument("unknown algorithm '" + planned.algorithm + "': expected one of " +
                              schedule::algorithm_names(collective));
}

void check_size(const soak::PlannedPhase& planned, schedule::SizeRule rule, unsigned ranks) {
  constexpr std::uint64_t kBlock = 16;  // of each rank, where every rank has one
  const std::uint64_t least = rule == schedule::SizeRule::per_rank ? kBlock * ranks : 4;
  if (planned.size_bytes >= least) return;
  throw std::invalid_argument("for " + std::to_string(ranks) + " ranks the size must be at least " +
                              measure::format_size(least));
}

std::vector<results::SweepPoint> points_of(const soak::PlannedPhase& planned,
                                           const RailChoice& usual, unsigned rails) {
  const RailChoice choice = planned.rails.empty() ? usual : parse_rail_choice(planned.rails);
  if (choice.kind == RailChoice::Kind::own) throw std::invalid_argument("rails=own is no choice");
  return rail_points({choice}, rails);
}

void settle(const soak::PlannedPhase& planned, const RailChoice& usual, unsigned rails,
            unsigned ranks, std::vector<soak::Phase>& plan) {
  const schedule::CollectiveTraits& traits = traits_of(planned.collective);
  check_size(planned, traits.size, ranks);
  for (auto& point : points_of(planned, usual, rails)) {
    plan.push_back({.collective = planned.collective,
                    .algorithm = algorithm_of(planned, traits.collective),
                    .size_bytes = planned.size_bytes,
                    .rails = std::move(point.rails)});
  }
}

}  // namespace

void add_soak_options(OptionTable& table, SoakOptions& options) {
  add_times(table, options);
  add_verdict(table, options);
  add_plan(table, options);
  add_transport(table, options);
  add_record(table, options);
}

void check_soak_options(const OptionTable& table, const RunOptions& run,
                        const SoakOptions& options) {
  constexpr double kLeastLoad = 0.01;
  if (options.load < kLeastLoad) throw std::invalid_argument("--load: expected 1% to 100%");
  if (options.rails.kind == RailChoice::Kind::own) {
    throw std::invalid_argument("--rails own: expected all, each, or numbers joined by +: 3, 0+1");
  }
  if (options.duration < options.window && options.resume_file.empty()) {
    throw std::invalid_argument("--duration is shorter than one --window");
  }
  if (!options.plan_file.empty() && (table.given("collectives") || table.given("sizes"))) {
    throw std::invalid_argument("--plan with --collectives or --sizes: the plan already sets them");
  }
  if (!options.resume_file.empty() && table.given("record")) {
    throw std::invalid_argument("--resume and --record: a resumed soak appends to its own record");
  }
  check_own_file(run, options.resume_file.empty() ? "--record" : "--resume",
                 record_path(options, run));
  check_progress_threads(options.transport.progress_threads, options.transport.same_host);
  check_memory({options.memory}, options.transport.same_host);
  check_reducers(table, {options.memory});
  if (!run.csv_file.empty() || !run.lines_file.empty()) {
    throw std::invalid_argument(
        "--csv and --jsonl are not supported: the record (--record) has a line per window");
  }
}

std::string record_path(const SoakOptions& options, const RunOptions& run) {
  if (!options.resume_file.empty()) return options.resume_file;
  if (!options.record_file.empty()) return options.record_file;
  return std::filesystem::path(run.output_file).replace_filename("soak.jsonl");
}

std::vector<soak::PlannedPhase> planned_phases(const SoakOptions& options, bool on_software) {
  if (!options.plan_file.empty()) {
    std::ifstream file(options.plan_file);
    if (!file) throw std::runtime_error("cannot read " + options.plan_file);
    return soak::read_plan(file, options.plan_file);
  }
  constexpr std::uint64_t kKi = 1U << 10U;
  constexpr std::uint64_t kMi = 1U << 20U;
  if (!options.sizes.empty()) return soak::alternating(options.collectives, options.sizes);
  if (on_software) return soak::alternating(options.collectives, {4 * kKi, 64 * kKi, kMi});
  return soak::alternating(options.collectives, {64 * kKi, kMi, 16 * kMi, 128 * kMi});
}

std::vector<soak::Phase> settled_plan(const std::vector<soak::PlannedPhase>& planned,
                                      const RailChoice& usual_rails, unsigned rails,
                                      unsigned ranks) {
  std::vector<soak::Phase> plan;
  for (const soak::PlannedPhase& one : planned) {
    try {
      settle(one, usual_rails, rails, ranks, plan);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("phase " + one.collective + " " +
                                  measure::format_size(one.size_bytes) + ": " + error.what());
    }
  }
  return plan;
}

}  // namespace railgauge::runner
