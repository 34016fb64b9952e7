#include "runner/pairs/pairs_options.hpp"

#include <algorithm>
#include <stdexcept>

#include "job/start_up.hpp"

namespace railgauge::runner {
namespace {

constexpr std::int64_t kMostMessages = 1'000'000'000;
constexpr std::int64_t kDay = 24LL * 3600;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

Syntax<pairs::Selection> selection() {
  return {"PAIRS", pairs::parse_selection, pairs::text_of};
}

Syntax<flow::Mode> mode() {
  using flow::Mode;
  std::vector<std::pair<std::string, Mode>> choices;
  for (const Mode one : {Mode::bandwidth, Mode::write, Mode::read, Mode::send})
    choices.emplace_back(flow::word(one), one);
  return choice(choices);
}

Syntax<AskSwitches> path_labels() {
  return choice<AskSwitches>(
      {{"auto", AskSwitches::automatic}, {"on", AskSwitches::on}, {"off", AskSwitches::off}});
}

void add_what(OptionTable& table, PairsOptions& options) {
  table.group("Which pairs");
  table.scalar("--pairs", options.selection, selection(),
               "nics: every two of one rail; hosts: of every two hosts one pair, rails in turn; "
               "ring: every host and the next; random:N: so many of all; skeleton:ALGORITHM: hosts "
               "that exchange data in that algorithm of all-reduce");
  table.flag("--cross-rail", options.cross_rail,
             "NICs of different rails, too, and of different planes");
  table.scalar("--max-time", options.max_time, seconds(0, kDay),
               "Measure a random sample of the rounds that takes no longer, with what is measured "
               "again; 0: all");
  table.scalar("--seed", options.seed, whole<std::uint64_t>(0, kMostMessages), "Of what is random");
  table.flag("--resume", options.resume,
             "Go on with the result of -J, which stopped before its end: what it has is kept");
}

void add_how(OptionTable& table, PairsOptions& options) {
  table.group("What is measured");
  table.axis("--mode", options.modes, mode(),
             "bandwidth: RDMA writes; write, read, send: latency of 8 bytes");
  table.flag("--bidirectional", options.bidirectional,
             "Bandwidth of both directions at the same time, instead of one after the other");
  table.scalar("-s,--size", options.message_bytes, size(), "Of a message of bandwidth");
  table.scalar("--qps", options.queue_pairs, whole<int>(1, flow::kMostQueuePairs),
               "Queue pairs of each pair, for bandwidth");
  table.scalar("--window", options.window, whole<int>(1, flow::kMostWindow),
               "Messages under way on each queue pair");
  table.scalar("--time", options.time, milliseconds(1, 600'000),
               "Of each pair in each direction; without a unit in milliseconds");
  table.scalar("-n,--iters", options.iterations, whole<std::uint64_t>(0, kMostMessages),
               "Messages of each pair in each direction, instead of a time; 0: by time");
  table.scalar("--repetitions", options.repetitions, whole<int>(1, 1000),
               "Times that each pair is measured; the median counts");
  table.scalar("--traffic-class", options.traffic_class, whole<int>(0, 255),
               "DSCP times 4, plus ECN, as in the IP header");
}

void add_paths(OptionTable& table, PairsOptions& options) {
  table.group("How paths are found");
  table.scalar("--path-labels", options.path_labels, path_labels(),
               "Ask the switches, before measuring, which way each queue pair takes, and compare "
               "ways over as many switches; auto: as long as that takes less than 10 s, or a fifth "
               "of the time of measuring");
  table.scalar("--probe-rate", options.probes_per_second, whole<int>(1, 100000),
               "Probes per second of each host; switches answer some hundred for all who ask");
}

void add_verdict(OptionTable& table, PairsOptions& options) {
  table.group("What counts as bad");
  table.scalar("--line-rate", options.line_rate_share, percent(),
               "Less bandwidth than this part of line rate; software devices have none");
  table.optional(
      "--median-share", options.median_share, percent(),
      "Less than this part of the median of fast ways like it, or so much more latency (80%; "
      "of software devices 30%)");
  table.scalar("--retries", options.retries, whole<int>(0, 1000),
               "Times that what looks bad is measured again, alone; the best of each counts");
  table.scalar("--svg", options.svg_file, text("PATH"),
               "Draw the heat map of the first mode into this file");
  table.flag("--colours", options.colours,
             "A heat map in colours; " + job::launcher("mpirun") +
                 " asks for it on a terminal, which Open MPI hides from the ranks");
}

}  // namespace

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
  if (options.cross_rail && kind != Kind::nics && kind != Kind::random)
    throw std::invalid_argument("--cross-rail is for --pairs nics and random:N");
  if (options.bidirectional && !std::ranges::count(options.modes, flow::Mode::bandwidth))
    throw std::invalid_argument(
        "--bidirectional without --mode bandwidth: latency is measured in one direction after the "
        "other");
  if (options.message_bytes == 0 || options.message_bytes > kMostBytes)
    throw std::invalid_argument("--size: expected 1 byte to 1 GiB");
  constexpr std::chrono::seconds kLeast{30};
  if (run.limit < kLeast)
    throw std::invalid_argument("-T must be at least 30 s: one test may take 15 s");
  if (options.time > run.limit / 4)
    throw std::invalid_argument(
        "--time: a pair is measured in both directions within -T, and so "
        "may take a quarter of it");
  if (options.resume && run.output_file.empty())
    throw std::invalid_argument("--resume needs -J, the result to go on with");
  check_own_file(run, "--svg", options.svg_file);
  if (run.allow_single)
    throw std::invalid_argument("--allow-single: at least two hosts are required");
  options.selection.cross_rail = options.cross_rail;
  options.selection.seed = options.seed;
}

flow::Plan plan_of(const PairsOptions& options, flow::Mode mode) {
  flow::Plan plan{.mode = mode,
                  .ways = options.bidirectional ? flow::Ways::together : flow::Ways::in_turn,
                  .message_bytes = static_cast<std::uint32_t>(options.message_bytes),
                  .queue_pairs = options.queue_pairs,
                  .window = options.window,
                  .iterations = options.iterations,
                  .time = options.time,
                  .traffic_class = static_cast<std::uint8_t>(options.traffic_class)};
  plan.longest += 2 * options.time;
  return plan;
}

const std::vector<std::string>& names_of_what_is_measured() {
  static const std::vector<std::string> names{
      "pairs",  "cross-rail", "mode",        "bidirectional", "size",         "qps",
      "window", "time",       "repetitions", "iters",         "traffic-class"};
  return names;
}

}  // namespace railgauge::runner
