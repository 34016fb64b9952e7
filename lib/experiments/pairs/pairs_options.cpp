#include "experiments/pairs/pairs_options.hpp"

#include <algorithm>
#include <stdexcept>

#include "job/start_up.hpp"
#include "options/shared.hpp"

namespace railgauge::runner {
namespace {

using options::choice;
using options::OptionTable;
using options::percent;
using options::seconds;
using options::size;
using options::Syntax;
using options::whole;

constexpr std::int64_t kMostMessages = 1'000'000'000;
constexpr std::int64_t kDay = 24LL * 3600;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

Syntax<pairs::Selection> selection() {
  return {"PAIRS", pairs::parse_selection, pairs::text_of};
}

Syntax<flow::Mode> mode() {
  using flow::Mode;
  std::vector<std::pair<std::string, Mode>> choices;
  choices.reserve(std::size(flow::kModes));
  for (const Mode one : flow::kModes) choices.emplace_back(flow::word(one), one);
  return choice(choices);
}

Syntax<AskSwitches> path_labels() {
  return choice<AskSwitches>(
      {{"auto", AskSwitches::automatic}, {"on", AskSwitches::on}, {"off", AskSwitches::off}});
}

bool is_reachability(const PairsOptions& options) {
  return options.program == PairsProgram::reachability_perf;
}

void add_rails(OptionTable& table, PairsOptions& options) {
  if (!is_reachability(options)) {
    table.flag(options::cross_rail_pairs(), options.cross_rail);
    return;
  }
  table.flag("--same-rail-only", options.same_rail_only,
             "Test only pairs on one rail and plane; faster where rails are separate networks");
  table.flag("--cross-rail", options.cross_rail,
             "Require connectivity between different rails and planes");
}

void add_what(OptionTable& table, PairsOptions& options) {
  table.group("Pairs");
  table.scalar(
      "--pairs", options.selection, selection(),
      "Pairs to test. nics: all NICs of a rail; hosts: one NIC pair per host pair, rails in "
      "turn; ring: each host and the next; random:N: N pairs; skeleton:ALGORITHM: hosts that "
      "exchange data in that all-reduce");
  add_rails(table, options);
  table.scalar("--max-time", options.max_time, seconds(0, kDay),
               "Time limit; measures a random sample of rounds, retests included; 0: all rounds");
  table.scalar(options::seed(), options.seed);
  table.flag("--resume", options.resume,
             "Continue the interrupted run whose result is the -J file; its rows are kept");
}

void add_how(OptionTable& table, PairsOptions& options) {
  table.group("Measurement");
  if (!is_reachability(options)) {
    table.axis("--mode", options.modes, mode(),
               "Measurements: bandwidth (RDMA writes); write, read, send (latency of 8 bytes); "
               "connect (latency, packets of every size, then bandwidth for a moment)");
    table.flag("--bidirectional", options.bidirectional,
               "Measure bandwidth in both directions at once, instead of in turn");
    table.scalar(options::queue_pairs(flow::kMostQueuePairs), options.queue_pairs);
  }
  table.scalar("-s,--size", options.message_bytes, size(), "Message size, for bandwidth");
  table.scalar("--window", options.window, whole<int>(1, flow::kMostWindow),
               "Outstanding messages per queue pair");
  table.scalar(options::test_time(600'000), options.time);
  table.scalar("-n,--iters", options.iterations, whole<std::uint64_t>(0, kMostMessages),
               "Messages per pair and direction, instead of --time; 0: use --time");
  table.scalar("--repetitions", options.repetitions, whole<int>(1, 1000),
               "Measurements of each pair; the median counts");
  table.scalar(options::traffic_class(), options.traffic_class);
  table.scalar(options::memory(), options.memory);
}

void add_paths(OptionTable& table, PairsOptions& options) {
  table.group("Path tracing");
  table.scalar(
      "--path-labels", options.path_labels, path_labels(),
      "Trace the path of each queue pair before measuring, and compare only pairs with equal "
      "hop counts; auto: if tracing takes less than 10 s or a fifth of the run");
  table.scalar(options::probe_rate(), options.probes_per_second);
}

void add_verdict(OptionTable& table, PairsOptions& options) {
  table.group("Limits and output");
  if (!is_reachability(options))
    table.scalar("--line-rate", options.line_rate_share, percent(),
                 "Fail below this share of line rate; not applied to software devices, and to mode "
                 "connect");
  table.optional(
      "--median-share", options.median_share, percent(),
      "Fail below this share of the median of comparable fast pairs (default: 80%, of mode connect "
      "50%; 30% on software devices). Latency fails above the inverse");
  table.scalar(options::retries().with("They run alone, on an idle fabric"), options.retries);
  const auto svg = options::svg();
  table.scalar(is_reachability(options) ? svg : svg.with("It shows the first --mode"),
               options.svg_file);
  table.flag(options::colours(job::launcher("mpirun")), options.colours);
}

}  // namespace

PairsOptions defaults_of(PairsProgram program) {
  PairsOptions options{.program = program};
  if (!is_reachability(options)) return options;
  options.modes = {flow::Mode::connect};
  options.time = std::chrono::milliseconds(10);
  options.path_labels = AskSwitches::off;
  return options;
}

void add_pairs_options(OptionTable& table, PairsOptions& options) {
  add_what(table, options);
  add_how(table, options);
  add_paths(table, options);
  add_verdict(table, options);
}

void check_pairs_options(const OptionTable& /*table*/, const RunOptions& run,
                         PairsOptions& options) {
  using Kind = pairs::Selection::Kind;
  const Kind kind = options.selection.kind;
  const bool crosses = kind == Kind::nics || kind == Kind::random;
  if (options.cross_rail && !crosses)
    throw std::invalid_argument("--cross-rail is for --pairs nics and random:N");
  if (options.cross_rail && options.same_rail_only)
    throw std::invalid_argument("--same-rail-only and --cross-rail: give one of the two");
  if (options.bidirectional && !std::ranges::count(options.modes, flow::Mode::bandwidth))
    throw std::invalid_argument(
        "--bidirectional without --mode bandwidth: latency is measured one direction at a time");
  if (options.message_bytes == 0 || options.message_bytes > kMostBytes)
    throw std::invalid_argument("--size: expected 1 byte to 1 GiB");
  const bool latency = !std::ranges::all_of(options.modes, flow::is_of_data);
  if (latency && options.memory == results::MemoryKind::gpu)
    throw std::invalid_argument(
        "--memory gpu with a --mode of latencies: what they poll is in memory of the host");
  constexpr std::chrono::seconds kLeast{30};
  if (run.limit < kLeast)
    throw std::invalid_argument("-T must be at least 30 s: one test may take 15 s");
  if (options.time > run.limit / 4)
    throw std::invalid_argument(
        "--time may be at most a quarter of -T, because a pair is measured in both directions "
        "within -T");
  if (options.resume && run.output_file.empty())
    throw std::invalid_argument("--resume needs -J, the result to continue");
  check_own_file(run, "--svg", options.svg_file);
  if (run.allow_single)
    throw std::invalid_argument("--allow-single: at least two hosts are required");
  options.selection.cross_rail =
      options.cross_rail || (is_reachability(options) && crosses && !options.same_rail_only);
  options.selection.seed = options.seed;
}

flow::Plan plan_of(const PairsOptions& options, flow::Mode mode) {
  flow::Plan plan{
      .mode = mode,
      .directions = options.bidirectional ? flow::Directions::together : flow::Directions::in_turn,
      .message_bytes = static_cast<std::uint32_t>(options.message_bytes),
      .queue_pairs = static_cast<int>(options.queue_pairs),
      .window = options.window,
      .iterations = options.iterations,
      .time = options.time,
      .traffic_class = options.traffic_class};
  plan.longest += 2 * options.time;
  // Where rails are separate networks, every round has pairs that do not reach each other.
  if (mode == flow::Mode::connect) plan.patience = std::chrono::seconds(2);
  return plan;
}

const std::vector<std::string>& names_of_what_is_measured() {
  static const std::vector<std::string> names{
      "pairs",  "cross-rail", "same-rail-only", "mode",  "bidirectional", "size",  "qps",
      "window", "time",       "repetitions",    "iters", "traffic-class", "memory"};
  return names;
}

}  // namespace railgauge::runner
