#include "experiments/collective/collective_options.hpp"

#include <algorithm>
#include <stdexcept>

#include "experiments/collective/algorithm_by_size.hpp"
#include "measure/sizes.hpp"
#include "options/shared.hpp"

namespace railgauge::runner {
namespace {

using options::choice;
using options::chosen_by_run;
using options::Declaration;
using options::OptionTable;
using options::parse_whole;
using options::parts_of_seconds;
using options::percent;
using options::size;
using options::small_size;
using options::Syntax;
using options::text;
using options::throw_expected;
using options::whole;
using schedule::Collective;

constexpr std::int64_t kMost = 100'000'000;

bool has_sizes(Collective collective) {
  return traits(collective).size != schedule::SizeRule::none;
}

bool has_traffic(Collective collective) {
  return traits(collective).size == schedule::SizeRule::uneven;
}

bool has_operator(Collective collective) {
  return traits(collective).combining == schedule::Combining::once;
}

template <class Names>
std::vector<std::string> names_and_all(const Names& all) {
  std::vector<std::string> names;
  names.reserve(all.size() + 1);
  for (const auto value : all) names.emplace_back(reduce::name(value));
  names.emplace_back("all");
  return names;
}

template <class T, class Names, class Find>
Syntax<T> named(const char* unit, const Names& all, Find find) {
  const auto parse = [all, find](const std::string& word) -> T {
    if (const auto found = find(word)) return *found;
    throw_expected(word, names_and_all(all));
  };
  return {unit, parse, [](const T& value) { return std::string(reduce::name(value)); },
          names_and_all(all)};
}

Syntax<reduce::Operator> operator_name() {
  return named<reduce::Operator>("OP", reduce::kOperators, [](const std::string& word) {
    return reduce::reduction_operator(word);
  });
}

std::vector<std::string> algorithm_words(Collective collective) {
  std::vector<std::string> words;
  for (const auto& one : schedule::algorithms(collective)) words.emplace_back(one.name);
  words.emplace_back("all");
  words.emplace_back("auto");
  if (chooses_by_size(collective)) words.emplace_back(kBySize);
  return words;
}

Syntax<std::string> algorithm_name(Collective collective) {
  const std::vector<std::string> words = algorithm_words(collective);
  const auto parse = [collective, words](const std::string& word) {
    const bool known = schedule::find_algorithm(collective, word) != nullptr;
    if (!known && std::ranges::count(words, word) == 0) throw_expected(word, words);
    return word;
  };
  return {"NAME", parse, [](const std::string& word) { return word; }, words};
}

Syntax<int> root() {
  return {"RANK",
          [](const std::string& word) {
            if (word == "all") return -1;
            try {
              return parse_whole<int>(word, -1, kMost);
            } catch (const std::invalid_argument&) {
              throw std::invalid_argument("expected ranks from 0 on, or all");
            }
          },
          [](const int& value) { return std::to_string(value); }};
}

Syntax<SplitRule> split() {
  return {"RULE", parse_split, [](const SplitRule& rule) { return text_of(rule); }};
}

Syntax<std::uint32_t> chunk() {
  constexpr std::uint64_t kLeast = 256;
  constexpr std::uint64_t kLargest = 16 << 20;
  const auto parse = [](const std::string& word) {
    const std::uint64_t bytes = measure::parse_size(word);
    if (bytes < kLeast || bytes > kLargest || bytes % 64 != 0) {
      throw std::invalid_argument("expected a multiple of 64 from 256 to 16M");
    }
    return static_cast<std::uint32_t>(bytes);
  };
  return {"SIZE", parse, [](const std::uint32_t& bytes) { return measure::format_size(bytes); }};
}

template <class Names>
std::string listed(const Names& values) {
  std::string names;
  for (const auto value : values) {
    names += (names.empty() ? "" : ", ") + std::string(reduce::name(value));
  }
  return names;
}

/// What else an algorithm of the collective may be called.
std::string families_of(Collective collective) {
  std::string text;
  for (const char* family : {"tree", "halving-doubling"}) {
    const auto* found = schedule::find_algorithm(collective, family);
    if (found == nullptr || found->name == family) continue;
    text += std::string(text.empty() ? ". Aliases: " : ", ") + family + " = " +
            std::string(found->name);
  }
  return text;
}

void add_sizes(OptionTable& table, CollectiveOptions& options) {
  table.group("Sizes");
  table.scalar("-b,--minbytes", options.min_bytes, size(), "Smallest size");
  table.scalar("-e,--maxbytes", options.max_bytes, size(), "Largest size");
  table.scalar("-i,--stepbytes", options.step_bytes, size(),
               "Step added to each size to get the next");
  table.scalar("-f,--stepfactor", options.step_factor, whole<std::uint64_t>(1, kMost),
               "Factor from each size to the next; 1: add --stepbytes instead");
  if (!has_traffic(options.collective)) return;
  table.scalar(
      "--matrix", options.matrix_file, text("PATH"),
      "File with the traffic matrix: a line per sending rank, a number per receiving rank. It "
      "is scaled so that the busiest rank has the size");
  table.scalar("--spread", options.spread_percent, whole<unsigned>(0, 100),
               "Random variation of block sizes, in percent (without --matrix)");
}

void add_axes(OptionTable& table, CollectiveOptions& options) {
  table.group("Workload (lists run every combination)");
  if (has_sizes(options.collective)) {
    const auto type = named<reduce::ElementType>(
        "TYPE", reduce::kElementTypes,
        [](const std::string& word) { return reduce::element_type(word); });
    table.axis("-d,--datatype", options.types, type,
               "Element types: " + listed(reduce::kElementTypes) + "; or all",
               {reduce::kElementTypes.begin(), reduce::kElementTypes.end()});
    table.axis("--chunk", options.chunks, chunk(),
               "Chunk size of transfers; algorithms that move data in one hop without reducing use "
               "four times as much");
  }
  if (has_operator(options.collective)) {
    table.axis("-o,--op", options.ops, operator_name(),
               "Reduction operators: " + listed(reduce::kOperators) + "; or all",
               {reduce::kOperators.begin(), reduce::kOperators.end()});
    using Reduce = CollectiveOptions::Reduce;
    table.axis(
        "--reduce", options.reduce, choice<Reduce>({{"all", Reduce::all}, {"none", Reduce::none}}),
        "Reduction of received data; none: move data without reducing it, to load the fabric "
        "beyond the hosts' reduction speed (not verified)");
  } else {
    table.ignore("-o,--op", operator_name(), "nothing is reduced");
  }
  if (schedule::rooted(options.collective)) {
    table.axis("-r,--root", options.roots, root(), "Root ranks, or all (-1)");
  } else {
    table.ignore("-r,--root", root(), "there is no root");
  }
  table.axis(options::memory(), options.memory);
  table.axis(options::queue_pairs(kMostQueuePairs), options.queue_pairs);
  table.axis(options::traffic_class(), options.traffic_classes);
  if (!has_traffic(options.collective)) {
    table.scalar("--split", options.split, split(),
                 "Groups of ranks that run the collective at the same time. AND, OR, MOD or DIV "
                 "with a number, as in NCCL_TESTS_SPLIT. node: ranks of one host. rail: ranks that "
                 "are local to the same rails. pairs: DIV 2");
  }
  table.axis(rails_in_use().with("own: each rank drives only its local rails"), options.rails);
}

void add_measurement(OptionTable& table, CollectiveOptions& options) {
  table.group("Measurement");
  using measure::OverRanks;
  using measure::Separation;
  measure::TimingRule& timing = options.timing;
  table.scalar("-n,--iters", timing.stopping.iterations, whole<std::uint64_t>(1, kMost),
               "Timed iterations per size and buffer mode");
  table.scalar("-m,--agg_iters", timing.collectives, whole<std::uint64_t>(1, kMost),
               "Operations per timed iteration; the mean is reported");
  table.scalar("-w,--warmup_iters", timing.warm_up, whole<std::uint64_t>(0, kMost),
               "Untimed warm-up iterations");
  table.scalar("-N,--run_cycles", options.cycles, whole<std::uint64_t>(0, kMost),
               "Repetitions of the whole sweep; 0: forever");
  table.scalar("-c,--check", timing.verified, whole<std::uint64_t>(0, kMost),
               "Timed iterations to verify; 0: none, and #wrong is N/A");
  table.scalar(
      "-z,--blocking,--sync", timing.separation,
      choice<Separation>({{"0", Separation::none},
                          {"1", Separation::barrier_inside},
                          {"2", Separation::none},
                          {"3", Separation::barrier_outside},
                          {"none", Separation::none},
                          {"barrier", Separation::barrier_outside}}),
      "Separation of iterations: back to back (0, 2 or none), an untimed barrier before each "
      "(3 or barrier), or a timed barrier in each (1)");
  table.scalar("-a,--average", timing.over_ranks,
               choice<OverRanks>({{"0", OverRanks::first},
                                  {"1", OverRanks::mean},
                                  {"2", OverRanks::fastest},
                                  {"3", OverRanks::slowest}}),
               "Time of an iteration over ranks: 0 rank 0, 1 mean, 2 fastest rank, 3 slowest rank");
  table.optional("--duration", timing.stopping.duration, parts_of_seconds(0, 10'000'000),
                 "Time limit per size and buffer mode, after at least -n iterations; 0: only -n "
                 "iterations");
  table.optional(
      "--ci", timing.stopping.interval, percent(),
      "Stop when the 95 % confidence interval of the median is this narrow (1%), or after "
      "--duration (default: 10 s)");
  table.scalar("-u,--unalign", options.unaligned, whole<std::uint64_t>(0, kMost),
               "Offset of buffers from a page boundary, in elements");
  table.scalar("-I,--per_iter_timing", options.per_iteration, whole<bool>(0, 1),
               "1: print four more columns with statistics over iterations");
  table.scalar("-K,--per_iter_skip", timing.skipped, whole<std::uint64_t>(0, kMost),
               "Number of first iterations to exclude from the -I columns");
}

void add_transport(OptionTable& table, CollectiveOptions& options) {
  table.group("Transport");
  if (has_sizes(options.collective)) {
    table.scalar(
        "--window", options.window, chosen_by_run(whole<unsigned>(1, 16)),
        "Chunks in flight between two ranks (default: twice what the fastest link carries in "
        "10 us, plus 2, at least 4; all-to-all, gather, scatter and sendrecv: 4; software devices, "
        "where more chunks only fill caches: 1)");
  }
  if (has_operator(options.collective)) {
    table.scalar(reducing_threads(), options.reducing_threads);
    table.scalar(gpu_reduce(), options.gpu_reduce);
  }
  table.scalar(progress_threads(), options.progress_threads);
  table.scalar(connect(), options.connect);
  table.scalar(same_host(), options.same_host);
  table.flag(
      "--spread-paths", options.spread_paths,
      "Trace the paths to each peer, a few seconds each, and set flow labels that spread queue "
      "pairs over them");
  table.flag("--cross-rail", options.cross_rail,
             "With --rails own: allow data to cross from one rail to another, over the spine");
  table.scalar("--inline", options.inline_bytes, small_size(1024),
               "Largest size to send inline in a work request");
  table.group("Output");
  table.scalar("-S,--report_timestamps", options.timestamps, whole<bool>(0, 1),
               "1: print the time of each measurement as the last column");
}

/// Every combination so far with every value, the values varying fastest.
template <class T, class Set>
void multiply(std::vector<Combination>& combinations, const std::vector<T>& values, Set set) {
  std::vector<Combination> product;
  for (const Combination& combination : combinations) {
    for (const T& value : values) {
      product.push_back(combination);
      set(product.back(), value);
    }
  }
  combinations = std::move(product);
}

std::vector<int> roots_of(const CollectiveOptions& options, unsigned ranks) {
  if (options.roots != std::vector{-1}) return options.roots;
  std::vector<int> all;
  for (unsigned rank = 0; rank < ranks; ++rank) all.push_back(static_cast<int>(rank));
  return all;
}

}  // namespace

std::vector<std::uint64_t> CollectiveOptions::sizes() const {
  if (!has_sizes(collective) || max_bytes == 0) return {0};
  if (step_factor > 1) return measure::sweep(min_bytes, max_bytes, step_factor);
  return measure::steps(min_bytes, max_bytes, step_bytes);
}

std::vector<Combination> CollectiveOptions::combinations(unsigned rail_count,
                                                         unsigned ranks) const {
  std::vector<Combination> all;
  for (auto& point : rail_points(rails, rail_count)) all.push_back({.point = std::move(point)});
  multiply(all, traffic_classes, [](Combination& c, std::uint8_t v) { c.point.traffic_class = v; });
  multiply(all, queue_pairs, [](Combination& c, unsigned v) { c.point.queue_pairs = v; });
  multiply(all, chunks, [](Combination& c, std::uint32_t v) { c.point.chunk_bytes = v; });
  multiply(all, types, [](Combination& c, reduce::ElementType v) { c.type = v; });
  multiply(all, ops, [](Combination& c, reduce::Operator v) { c.op = v; });
  multiply(all, reduce, [](Combination& c, Reduce v) { c.point.unreduced = v == Reduce::none; });
  multiply(all, memory, [](Combination& c, results::MemoryKind v) { c.point.memory = v; });
  multiply(all, roots_of(*this, ranks), [](Combination& c, int v) { c.point.root = v; });
  return all;
}

Declaration<RailChoice> rails_in_use() {
  return {"--rails",
          {"RAILS", parse_rail_choice, word},
          "Rails to use: all (together), each (alone), or numbers joined by + (0, 0+1)"};
}

Declaration<GpuReduce> gpu_reduce() {
  return {"--gpu-reduce", choice<GpuReduce>({{"gpu", GpuReduce::gpu}, {"host", GpuReduce::host}}),
          "With --memory gpu, who reduces: the GPU, or the host, which copies the data back and "
          "forth"};
}

Declaration<unsigned> reducing_threads() {
  return {"--reduce-threads", whole<unsigned>(1, 64),
          "Threads per rank that reduce data, for NICs faster than one core"};
}

Declaration<unsigned> progress_threads() {
  return {"--progress-threads", chosen_by_run(whole<unsigned>(1, 64)),
          "Threads per rank that drive rails; at most one per rail (default: one per rail if every "
          "rank has as many cores of its own, twice as many for software devices; else 1)"};
}

Declaration<transport::Connect> connect() {
  using transport::Connect;
  return {"--connect", choice<Connect>({{"mpi", Connect::exchange}, {"rdmacm", Connect::rdmacm}}),
          "How queue pairs connect: mpi (addresses exchanged over MPI) or rdmacm (over the rails)"};
}

Declaration<SameHost> same_host() {
  return {"--same-host",
          choice<SameHost>({{"rails", SameHost::rails}, {"memory", SameHost::memory}}),
          "How ranks on one host exchange data: over the rails, which tests the fabric, or through "
          "shared memory"};
}

void add_collective_options(OptionTable& table, const Program& program,
                            CollectiveOptions& options) {
  options.collective = program.kind;
  options.algorithm_names = {program.algorithm};
  if (has_sizes(program.kind)) {
    add_sizes(table, options);
  } else {
    options.min_bytes = options.max_bytes = 0;
  }
  table.group("Workload (lists run every combination)");
  if (program.algorithm.empty()) {
    const bool by_size = chooses_by_size(program.kind);
    options.algorithm_names = {
        std::string(by_size ? kBySize : schedule::algorithms(program.kind).front().name)};
    table.axis("--algo", options.algorithm_names, algorithm_name(program.kind),
               "Algorithms: " + schedule::algorithm_names(program.kind) +
                   "; all; auto (chosen by a model from a few measurements)" +
                   (by_size ? "; by-size: " + rule_by_size() : "") + families_of(program.kind));
  }
  add_axes(table, options);
  add_measurement(table, options);
  add_transport(table, options);
  refuse_options(table);
}

}  // namespace railgauge::runner
