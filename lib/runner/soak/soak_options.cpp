#include "runner/soak/soak_options.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "measure/sizes.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::runner {
namespace {

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

Syntax<RailChoice> rails_of_phases() {
  const auto parse = [](const std::string& text) {
    RailChoice choice = parse_rail_choice(text);
    if (choice.kind != RailChoice::Kind::own) return choice;
    throw std::invalid_argument("expected all, each, or numbers joined by +: 3, 0+1");
  };
  return {"RAILS", parse, [](const RailChoice& choice) { return word(choice); }};
}

void add_times(OptionTable& table, SoakOptions& options) {
  table.group("How long and how hard");
  table.scalar("--duration", options.duration, seconds(1, kYear),
               "How long to soak; windows that have begun are finished, gaps do not count");
  table.scalar("--window", options.window, seconds(1, 3600),
               "Samples are taken over this long; the record has a line for each");
  table.scalar("--load", options.load, percent(),
               "Of the throughput that each phase has at the start, where it is measured; 100%: as "
               "fast as it goes");
  table.scalar("--verify", options.verify, percent(),
               "Part of the time that verification may take, within the pauses that --load leaves; "
               "100%: every iteration is verified, at whatever load that leaves");
}

void add_plan(OptionTable& table, SoakOptions& options) {
  table.group("What is run, phase after phase, again and again");
  table.axis("--collectives", options.collectives, collective_name(),
             "In this order, one after the other, for each size");
  table.axis("--sizes", options.sizes, size(),
             "Sizes (default: 64K,1M,16M,128M; on software devices 4K,64K,1M)");
  table.scalar("--rails", options.rails, rails_of_phases(),
               "Rails in use: all together; each alone; or numbers joined by + (3, 0+1), others "
               "being idle");
  table.scalar("--plan", options.plan_file, text("PATH"),
               "A file with a phase on each line instead: all_reduce 64M rails=0+1 algo=ring");
}

void add_ways(OptionTable& table, SoakOptions& options) {
  table.group("Transport");
  table.scalar("--traffic-class", options.traffic_class, whole<unsigned>(0, 255),
               "Of the IP header: DSCP * 4 + ECN");
  table.scalar("--qps", options.queue_pairs, whole<unsigned>(1, 64),
               "Queue pairs to each peer on each rail, for networks that choose a path by them");
  add_reducing_threads(table, options.reducing_threads);
  add_progress_threads(table, options.progress_threads);
  add_connections(table, options.connect, options.same_host);
}

void add_record(OptionTable& table, SoakOptions& options) {
  table.group("Record");
  table.scalar("--record", options.record_file, text("PATH"),
               "Samples, events and gaps as JSON Lines, railgauge/soak/1 (default: soak.jsonl, "
               "where the result document is)");
  table.scalar("--resume", options.resume_file, text("PATH"),
               "Go on with this record, as the same soak: plan, window, load and duration are its "
               "own unless given; the time in between is a gap");
}

const schedule::CollectiveTraits& traits_of(const std::string& name) {
  const auto found = schedule::collective(name);
  if (found && can_soak(schedule::traits(*found))) return schedule::traits(*found);
  std::string known;
  for (const std::string& one : collective_names()) known += (known.empty() ? "" : ", ") + one;
  throw std::invalid_argument("'" + name + "' is none of " + known);
}

std::string algorithm_of(const soak::PlannedPhase& planned, schedule::Collective collective) {
  if (planned.algorithm.empty()) return std::string(schedule::algorithms(collective).front().name);
  const auto* const found = schedule::find_algorithm(collective, planned.algorithm);
  if (found != nullptr) return std::string(found->name);
  throw std::invalid_argument("'" + planned.algorithm + "' is none of " +
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
  add_plan(table, options);
  add_ways(table, options);
  add_record(table, options);
}

void check_soak_options(const OptionTable& table, const RunOptions& run,
                        const SoakOptions& options) {
  constexpr double kLeastLoad = 0.01;
  if (options.load < kLeastLoad) throw std::invalid_argument("--load: expected 1% to 100%");
  if (options.duration < options.window && options.resume_file.empty()) {
    throw std::invalid_argument("--duration is less than one --window");
  }
  if (!options.plan_file.empty() && (table.given("collectives") || table.given("sizes"))) {
    throw std::invalid_argument("--plan with --collectives or --sizes: the file has them");
  }
  if (!options.resume_file.empty() && table.given("record")) {
    throw std::invalid_argument("--resume and --record: a soak goes on in its own record");
  }
  check_own_file(run, options.resume_file.empty() ? "--record" : "--resume",
                 record_path(options, run));
  check_progress_threads(options.progress_threads, options.same_host);
  if (!run.csv_file.empty() || !run.lines_file.empty()) {
    throw std::invalid_argument("--csv and --jsonl: the record (--record) has a line per window");
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
