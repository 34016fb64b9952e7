#include "runner/options/command_line.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "results/version.hpp"
#include "runner/options/refused_options.hpp"

namespace railgauge::runner {
namespace {

constexpr const char* kFooter =
    "Sizes take K, M, G (binary). Lists are written with commas; the run is the product of all.\n"
    "Every option may also stand in a file (--config) or in the environment: --minbytes as\n"
    "RAILGAUGE_MINBYTES. Every wait has a deadline: see -T.\n"
    "Exit status: 0 ok, 1 verdict failed (rails do not fit together), 2 usage, 3 time-out or\n"
    "transport failure, 4 wrong data, 5 environment (no device, no memory, no file), 130 "
    "interrupted.";

constexpr int kMost = 100'000'000;

template <class Names>
std::string listed(const Names& values) {
  std::string text;
  for (const auto value : values) {
    text += (text.empty() ? "" : ", ") + std::string(reduce::name(value));
  }
  return text;
}

/// "minbytes" of RAILGAUGE_MINBYTES.
std::string variable_of(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
  });
  return "RAILGAUGE_" + name;
}

/// As a number if it is one.
results::Option value_of(const CLI::Option& option) {
  if (option.get_expected_max() == 0) return {option.count() > 0, {}};
  std::string text = option.count() == 0 ? option.get_default_str() : "";
  for (const std::string& word : option.results()) text += (text.empty() ? "" : ",") + word;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return {number, {}};
  return {text, {}};
}

}  // namespace

CommandLine::CommandLine(const Program& program, Sources sources)
    : app_("RDMA collective benchmark over RoCEv2: one row a size, in place and out of place",
           program.name()) {
  const schedule::Collective collective = options_.collective = program.kind;
  raw_.algorithms = {program.algorithm};
  if (program.algorithm.empty()) {
    raw_.algorithms = {std::string(schedule::algorithms(collective).front().name)};
    add_algorithms();
  }
  app_.set_version_flag("--version", std::string(results::kVersion) + " " + results::kCommit);
  app_.set_help_flag("-h,--help", "Print this help message and exit");
  app_.footer(kFooter);
  app_.option_defaults()->always_capture_default();
  if (has_sizes(collective)) add_sizes();
  add_axes();
  add_measurement();
  add_way();
  add_participants();
  add_topology();
  add_output();
  refuse_options(app_);
  if (sources == Sources::environment) read_environment();
  const std::string about = "Read options from this file: lines of name = value, the name long";
  if (sources == Sources::command_line) {
    app_.add_option("--config", about)->type_name("PATH")->configurable(false);
  } else {
    app_.set_config("--config", "", about)->type_name("PATH");
    app_.allow_config_extras(CLI::config_extras_mode::error);
  }
}

void CommandLine::add_sizes() {
  app_.add_option("-b,--minbytes", raw_.min, "Smallest size")->type_name("SIZE");
  app_.add_option("-e,--maxbytes", raw_.max, "Largest size")->type_name("SIZE");
  app_.add_option("-i,--stepbytes", raw_.step, "From one size to the next, added")
      ->type_name("SIZE");
  app_.add_option("-f,--stepfactor", raw_.factor,
                  "From one size to the next, multiplied; 1: added");
  if (traits(options_.collective).size != schedule::SizeRule::uneven) return;
  CLI::Option* const matrix =
      app_.add_option("--matrix", options_.matrix_file,
                      "Who sends how much to whom: a line a rank, with a number for each rank, in "
                      "any unit; scaled so that the rank with most has the size")
          ->type_name("PATH");
  app_.add_option("--spread", options_.spread_percent,
                  "Without a matrix: percent by which blocks are larger or smaller, at random")
      ->check(CLI::Range(0, 100))
      ->excludes(matrix);
}

void CommandLine::add_algorithms() {
  app_.add_option("--algo", raw_.algorithms,
                  "Algorithms: " + schedule::algorithm_names(options_.collective) +
                      "; all; or auto, which measures a few and chooses by a model")
      ->delimiter(',')
      ->type_name("LIST");
}

/// Those that take lists, too.
void CommandLine::add_axes() {
  const auto axis = [&](const char* names, auto& values, const std::string& about) {
    return app_.add_option(names, values, about)->delimiter(',')->type_name("LIST");
  };
  if (has_sizes(options_.collective)) {
    axis("-d,--datatype", raw_.types, listed(reduce::kElementTypes) + ", or all");
    axis("--chunk", raw_.chunks,
         "Data travel in chunks of this size (four times as large where nobody combines them or "
         "passes them on)");
  }
  if (has_operator(options_.collective)) {
    axis("-o,--op", raw_.ops, listed(reduce::kOperators) + ", or all");
  }
  if (schedule::rooted(options_.collective)) {
    axis("-r,--root", raw_.roots, "Root ranks, or all (-1)");
  }
  axis("--qps", raw_.queue_pairs,
       "Queue pairs to each peer on each rail, for networks that choose a path by them")
      ->check(CLI::Range(1, 64));
  axis("--traffic-class", raw_.traffic_classes, "Of the IP header: DSCP * 4 + ECN")
      ->check(CLI::Range(0, 255));
  axis("--rails", raw_.rails,
       "Rails in use: all together, each by itself, numbers joined by + (0,1,0+1), or own: every "
       "rank drives those beside it alone");
}

void CommandLine::add_measurement() {
  app_.add_option("-n,--iters", options_.timing.stopping.iterations,
                  "Timed iterations a size and placement")
      ->check(CLI::Range(1, kMost));
  app_.add_option("-m,--agg_iters", options_.timing.collectives,
                  "Collectives in an iteration, whose time is their mean")
      ->check(CLI::Range(1, kMost));
  app_.add_option("-w,--warmup_iters", options_.timing.warm_up, "Untimed iterations before them")
      ->check(CLI::Range(0, kMost));
  app_.add_option("-N,--run_cycles", options_.cycles, "Times the whole sweep is run; 0: for ever")
      ->check(CLI::Range(0, kMost));
  app_.add_option("-c,--check", options_.timing.verified,
                  "Timed iterations that are verified; 0: none, and #wrong is N/A")
      ->check(CLI::Range(0, kMost));
  app_.add_option("-z,--blocking,--sync", raw_.separation,
                  "Iterations follow each other (0, 2 or none), each after a barrier that is not "
                  "timed (3 or barrier), or each with a barrier that is timed (1)")
      ->check(CLI::IsMember({"0", "1", "2", "3", "none", "barrier"}));
  app_.add_option("-a,--average", raw_.average,
                  "Whose time is an iteration's: 0 rank 0's, 1 the mean, 2 the fastest rank's, 3 "
                  "the slowest's")
      ->check(CLI::Range(0, 3));
  app_.add_option("--duration", raw_.duration,
                  "Seconds a size and placement, with at least -n iterations (0: only these)")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{10'000'000}));
  app_.add_option("--ci", raw_.interval,
                  "Go on until the 95 % confidence interval of the median is this narrow (1%), or "
                  "--duration (then 10 s if not given) is over")
      ->type_name("PERCENT");
  app_.add_option("-u,--unalign", options_.unaligned, "Begin buffers this many elements off a page")
      ->check(CLI::Range(0, kMost));
  app_.add_option("-I,--per_iter_timing", options_.per_iteration,
                  "1: four more columns, of iterations")
      ->check(CLI::Range(0, 1));
  app_.add_option("-K,--per_iter_skip", options_.timing.skipped,
                  "Of the first iterations, so many do not count in these columns")
      ->check(CLI::Range(0, kMost));
  app_.add_option("-T,--timeout", raw_.limit, "Seconds that one collective may take")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{86'400}));
}

void CommandLine::add_way() {
  if (has_sizes(options_.collective)) {
    app_.add_option("--window", options_.window,
                    "Chunks under way between two ranks (default: 4, of software devices 1, since "
                    "there more only fill caches)")
        ->check(CLI::Range(1, 16));
  }
  if (has_operator(options_.collective)) {
    app_.add_option("--reduce-threads", options_.reducing_threads,
                    "Threads of a rank that combine data, for NICs that are faster than one "
                    "processor (the default)")
        ->check(CLI::Range(1, 64));
  }
  app_.add_option("--connect", raw_.connect,
                  "How queue pairs cluster::gather_fabric: mpi (addresses by MPI) or rdmacm (over "
                  "the rails)")
      ->check(CLI::IsMember({"mpi", "rdmacm"}));
  app_.add_option("--same-host", raw_.same_host,
                  "Between ranks of one host data go by rails (a fabric is what is tested), or by "
                  "memory that they share")
      ->check(CLI::IsMember({"rails", "memory"}));
  app_.add_flag("--cross-rail", options_.cross_rail,
                "With --rails own, data may go from one rail to another: over the spine");
  app_.add_option("--gid-index", raw_.gid_index,
                  "GID of every port, by its index; -1: by rule (RoCE v2, IPv4, not link-local)")
      ->check(CLI::Range(-1, 65'535));
  app_.add_option("--inline", options_.inline_bytes, "Bytes that travel inside a request")
      ->check(CLI::Range(0, 1024));
}

void CommandLine::add_participants() {
  app_.add_option("--nodes", options_.nodes, "Fail unless the ranks are on this many hosts")
      ->check(CLI::Range(1, 1'000'000));
  app_.add_option("--ppn", options_.per_node, "Fail unless every host has this many ranks")
      ->check(CLI::Range(1, 1'000'000));
  app_.add_flag("--allow-single", options_.single, "One rank is meant, and talks to nobody");
  app_.add_option(
          "--devices", options_.device.devices,
          "RDMA devices of this host: one rail each, in this order (default: those that railgauge "
          "topo shows)")
      ->delimiter(',')
      ->type_name("LIST");
  app_.add_option(
          "--device", raw_.device,
          "soft or soft:RAILS: so many devices in software (default: 1), and no other; they need "
          "no RDMA hardware, and their figures say nothing about any")
      ->type_name("KIND");
}

/// As of railgauge topo.
void CommandLine::add_topology() {
  app_.add_option("--include", raw_.include,
                  "Rails are among these ports only, as NCCL_IB_HCA says it: mlx5_0:1,mlx5_1; "
                  "=mlx5_1 the whole name, ^mlx5_1 all others")
      ->type_name("PORTS");
  app_.add_option("--exclude", raw_.exclude, "These ports are no rails")->type_name("PORTS");
  app_.add_option("--rail-map", raw_.rail_map,
                  "Which rail a device is on: mlx5_0=0,mlx5_1=1 or a file with that (default: by "
                  "the subnets that hosts share, else in PCI order)")
      ->type_name("MAP");
  app_.add_option("--placement", options_.device.placement,
                  "Where ranks and their memory are bound to: rail, beside the NIC of their number "
                  "(they drive all rails all the same, but for --rails own); spread, over all NUMA "
                  "nodes; none, nowhere; "
                  "or a file with a line for each rank of a host: 0 rails=0,1 cpus=0-7 memory=0")
      ->type_name("MODE");
}

void CommandLine::add_output() {
  app_.add_option("--table", raw_.table,
                  "nccl: nccl-tests' columns; wide: percentiles, line rate, straggler; none: "
                  "nothing but the result document, on stdout unless -J names a file")
      ->check(CLI::IsMember({"nccl", "wide", "none"}));
  app_.add_option("-S,--report_timestamps", options_.timestamps,
                  "1: when each row was measured, as a last column")
      ->check(CLI::Range(0, 1));
  app_.add_option("-J,--output_file", options_.output_file, "Result document (JSON)")
      ->type_name("PATH");
  app_.add_option("--jsonl", options_.lines_file, "The same, a line a row, while it runs")
      ->type_name("PATH");
  app_.add_option("--csv", options_.csv_file, "One line a row and placement, while it runs")
      ->type_name("PATH");
  app_.add_flag("--force", options_.overwrite, "Replace these files if they exist");
}

void CommandLine::read_environment() {
  for (CLI::Option* option : app_.get_options()) {
    if (!option->get_configurable() || option->get_lnames().empty()) continue;
    option->envname(variable_of(option->get_lnames().front()));
  }
}

std::map<std::string, results::Option> CommandLine::values() const {
  std::map<std::string, results::Option> values;
  for (const CLI::Option* option : app_.get_options()) {
    if (!option->get_configurable() || option->get_group().empty()) continue;
    values.emplace(option->get_lnames().front(), value_of(*option));
  }
  return values;
}

}  // namespace railgauge::runner
