#include "benchmarks/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "measure/sizes.hpp"
#include "version.hpp"

namespace railgauge::benchmarks {
namespace {

constexpr const char* kFooter =
    "Sizes take K, M, G (binary). Every wait has a deadline: see -T.\n"
    "Exit status: 0 ok, 2 usage, 3 time-out or transport failure, 4 wrong data,\n"
    "5 environment (no device, no memory, no file), 130 interrupted.";

constexpr const char* kDevicesVariable = "RAILGAUGE_DEVICES";
constexpr int kMostSoftRails = 64;  // what softroce has addresses for

/// What the command line says before it is understood.
struct Words {
  std::string min = "32M";
  std::string max = "32M";
  std::string type = "float";
  std::string op = "sum";
  std::string algorithm;
  std::string slice = "128K";
  std::string connect = "mpi";
  std::string same_host = "rails";
  std::string device;
  std::int64_t seconds = 60;
};

template <class Names, class NameOf>
std::string listed(const Names& values, NameOf name_of) {
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : ", ") + std::string(name_of(value));
  return text;
}

template <class T>
T one_of(const std::optional<T>& found, const std::string& option, const std::string& word,
         const std::string& choices) {
  if (!found)
    throw std::invalid_argument(option + " does not know '" + word + "': it takes " + choices);
  return *found;
}

bool has_sizes(schedule::Collective collective) {
  return collective != schedule::Collective::barrier;
}
bool has_operator(schedule::Collective collective) {
  return has_sizes(collective) && schedule::reduces(collective);
}

/// What only some collectives have.
void add_data_options(CLI::App& app, Options& options, Words& words) {
  if (has_sizes(options.collective)) {
    app.add_option("-b,--minbytes", words.min, "Smallest size")->type_name("SIZE");
    app.add_option("-e,--maxbytes", words.max, "Largest size")->type_name("SIZE");
    app.add_option("-f,--stepfactor", options.step_factor, "From one size to the next");
    app.add_option("-d,--datatype", words.type,
                   listed(reduce::kElementTypes, [](auto t) { return reduce::name(t); }))
        ->type_name("TYPE");
    app.add_option("--slice", words.slice, "Data travel in pieces of this size")->type_name("SIZE");
    app.add_option("--window", options.window,
                   "Pieces under way between two ranks (default: 4, of software devices 1, since "
                   "there more only fill caches)")
        ->check(CLI::Range(1, 16));
  }
  if (has_operator(options.collective)) {
    app.add_option("-o,--op", words.op,
                   listed(reduce::kOperators, [](auto o) { return reduce::name(o); }))
        ->type_name("OP");
  }
  if (schedule::rooted(options.collective)) {
    app.add_option("-r,--root", options.root, "Root rank")->check(CLI::Range(0, 1'000'000'000));
  }
}

void add_options(CLI::App& app, Options& options, Words& words) {
  add_data_options(app, options, words);
  app.add_option("-n,--iters", options.iterations, "Timed iterations a size and placement")
      ->check(CLI::Range(1, 100'000'000));
  app.add_option("-w,--warmup_iters", options.warmup_iterations, "Untimed iterations before them")
      ->check(CLI::Range(0, 100'000'000));
  app.add_option("-c,--check", options.check_iterations,
                 "Verified iterations with data of their own; 0: none, and #wrong is N/A")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--algo", words.algorithm,
                 "Algorithms, with commas: " + schedule::algorithm_names(options.collective) +
                     "; all; or auto, which measures a few and chooses by a model")
      ->option_text("NAMES");
  app.add_option("--qps", options.queue_pairs,
                 "Queue pairs to each peer on each rail, for networks that choose a path by them")
      ->check(CLI::Range(1, 64));
  app.add_option("-T,--timeout", words.seconds, "Seconds that one collective may take")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{86'400}));
  app.add_option("--connect", words.connect,
                 "How queue pairs meet: mpi (addresses by MPI) or rdmacm (over the rails)")
      ->check(CLI::IsMember({"mpi", "rdmacm"}));
  app.add_option("--same-host", words.same_host,
                 "Between ranks of one host data go by rails (a fabric is what is tested), or by "
                 "memory that they share")
      ->check(CLI::IsMember({"rails", "memory"}));
  app.add_option("--nodes", options.nodes, "Fail unless the ranks are on this many hosts")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option(
         "--devices", options.devices,
         "RDMA devices of this host, with commas: one rail each, in this order (default: all "
         "usable ones, in order of their names)")
      ->delimiter(',')
      ->option_text("NAMES")
      ->envname(kDevicesVariable);
  app.add_option("--device", words.device,
                 "soft or soft:RAILS: so many devices in software (default: 1), and no other; they "
                 "need no RDMA hardware, and their figures say nothing about any")
      ->option_text("KIND");
  app.add_option("-J,--output_file", options.output_file, "Result document (JSON)")
      ->type_name("PATH");
  app.add_flag("--force", options.overwrite, "Replace the result document if it exists");
}

std::uint64_t size_of(const std::string& option, const std::string& word) {
  try {
    return measure::parse_size(word);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(option + ": " + error.what());
  }
}

int soft_rails(const std::string& word) {
  if (word == "soft") return 1;
  const std::string_view prefix = "soft:";
  const std::string_view number =
      std::string_view(word).substr(std::min(prefix.size(), word.size()));
  int rails = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), rails);
  const bool whole = error == std::errc{} && end == number.data() + number.size();
  if (word.rfind(prefix, 0) == 0 && whole && rails >= 1 && rails <= kMostSoftRails) return rails;
  throw std::invalid_argument(
      "--device does not know '" + word + "': it takes soft, or soft:RAILS with 1 to " +
      std::to_string(kMostSoftRails) + " rails; names of devices are for --devices");
}

void choose_soft_devices(const Words& words, bool named_on_command_line, Options& options) {
  options.soft_rails = soft_rails(words.device);
  if (named_on_command_line) {
    throw std::invalid_argument("--device and --devices: give one of the two");
  }
  if (options.connect == transport::Connect::rdmacm) {
    throw std::invalid_argument(
        "--connect rdmacm with --device soft: librdmacm asks the kernel, which has no soft "
        "device");
  }
  options.devices.clear();  // in place of those that RAILGAUGE_DEVICES names
  for (int rail = 0; rail < options.soft_rails; ++rail) {
    options.devices.push_back("soft" + std::to_string(rail));
  }
}

const schedule::Algorithm* named(schedule::Collective collective, const std::string& name) {
  const schedule::Algorithm* found = schedule::find_algorithm(collective, name);
  if (found != nullptr) return found;
  throw std::invalid_argument("--algo does not know '" + name + "': it takes " +
                              schedule::algorithm_names(collective) + ", all or auto");
}

void choose_algorithms(const std::string& words, Options& options) {
  if (words == "all" || words == "auto") {
    options.choice = words == "all" ? Options::Choice::all : Options::Choice::automatic;
    for (const auto& algorithm : schedule::algorithms(options.collective)) {
      options.algorithms.push_back(&algorithm);
    }
    return;
  }
  std::istringstream names(words);
  for (std::string name; std::getline(names, name, ',');) {
    const schedule::Algorithm* algorithm = named(options.collective, name);
    if (std::ranges::count(options.algorithms, algorithm) > 0) {
      throw std::invalid_argument("--algo has '" + name + "' twice");
    }
    options.algorithms.push_back(algorithm);
  }
  if (options.algorithms.empty()) (void)named(options.collective, words);
}

std::uint32_t slice_of(const std::string& word) {
  constexpr std::uint64_t kLeast = 256;
  constexpr std::uint64_t kMost = 16 << 20;
  const std::uint64_t bytes = size_of("--slice", word);
  if (bytes >= kLeast && bytes <= kMost && bytes % 64 == 0) {
    return static_cast<std::uint32_t>(bytes);
  }
  throw std::invalid_argument("--slice " + word + " is not a multiple of 64 from 256 to 16M");
}

void interpret_sizes(const Words& words, Options& options) {
  if (!has_sizes(options.collective)) {
    options.min_bytes = options.max_bytes = 0;
    return;
  }
  options.min_bytes = size_of("-b", words.min);
  options.max_bytes = size_of("-e", words.max);
  if (options.max_bytes < options.min_bytes) {
    throw std::invalid_argument("-e " + words.max + " is below -b " + words.min);
  }
  (void)options.sizes();
  options.slice_bytes = slice_of(words.slice);
}

void interpret(const Words& words, Options& options) {
  interpret_sizes(words, options);
  options.type = one_of(reduce::element_type(words.type), "-d", words.type,
                        listed(reduce::kElementTypes, [](auto t) { return reduce::name(t); }));
  options.op = one_of(reduce::reduction_operator(words.op), "-o", words.op,
                      listed(reduce::kOperators, [](auto o) { return reduce::name(o); }));
  choose_algorithms(words.algorithm, options);
  options.time_limit = std::chrono::seconds(words.seconds);
  options.connect =
      words.connect == "rdmacm" ? transport::Connect::rdmacm : transport::Connect::exchange;
  options.same_host = words.same_host == "memory" ? SameHost::memory : SameHost::rails;
  if (options.overwrite && options.output_file.empty()) {
    throw std::invalid_argument("--force without -J: there is no file to replace");
  }
}

/// CLI11 does not tell a value from the environment from one of the command line.
results::Option::Origin origin(const CLI::App& app, const std::string& name,
                               const std::vector<std::string>& arguments) {
  using Origin = results::Option::Origin;
  const CLI::Option& option = *app.get_option("--" + name);
  if (option.count() == 0) return Origin::default_value;
  const auto names_it = [&](const std::string& word) { return word.rfind("--" + name, 0) == 0; };
  const bool elsewhere = option.get_envname().empty() || std::ranges::any_of(arguments, names_it);
  return elsewhere ? Origin::command_line : Origin::environment;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

/// Every option with its value and who set it.
std::map<std::string, results::Option> in_force(const CLI::App& app, const Options& options,
                                                const Words& words,
                                                const std::vector<std::string>& arguments) {
  const auto entry = [&](const std::string& name, auto value) {
    return std::pair{name, results::Option{value, origin(app, name, arguments)}};
  };
  const auto integer = [](auto value) { return static_cast<std::int64_t>(value); };
  std::map<std::string, results::Option> entries{
      entry("iters", integer(options.iterations)),
      entry("warmup_iters", integer(options.warmup_iterations)),
      entry("check", integer(options.check_iterations)),
      entry("algo", words.algorithm),
      entry("qps", integer(options.queue_pairs)),
      entry("timeout", integer(words.seconds)),
      entry("connect", words.connect),
      entry("same-host", words.same_host),
      entry("nodes", integer(options.nodes)),
      entry("device", words.device),
      entry("devices", joined(options.devices)),
      entry("output_file", options.output_file),
      entry("force", options.overwrite)};
  if (has_sizes(options.collective)) {
    entries.insert({entry("minbytes", options.min_bytes), entry("maxbytes", options.max_bytes),
                    entry("stepfactor", options.step_factor), entry("datatype", words.type),
                    entry("slice", integer(options.slice_bytes)),
                    entry("window", integer(options.window))});
  }
  if (has_operator(options.collective)) entries.insert(entry("op", words.op));
  if (schedule::rooted(options.collective)) entries.insert(entry("root", integer(options.root)));
  return entries;
}

ParsedOptions mistake(const std::string& program, const std::string& what) {
  return {std::nullopt, program + ": " + what + "\nTry " + program + " --help", true};
}

}  // namespace

std::vector<std::uint64_t> Options::sizes() const {
  if (!has_sizes(collective)) return {0};
  return measure::sweep(min_bytes, max_bytes, step_factor);
}

ParsedOptions parse_options(const std::string& program, schedule::Collective collective, int argc,
                            char** argv) {
  Options options;
  options.collective = collective;
  Words words;
  words.algorithm = schedule::algorithms(collective).front().name;
  CLI::App app{"RDMA collective benchmark over RoCEv2: one row a size, in place and out of place",
               program};
  app.set_version_flag("--version", std::string(kVersion) + " " + kCommit);
  app.footer(kFooter);
  app.option_defaults()->always_capture_default();
  add_options(app, options, words);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    app.parse(argc, argv);
    interpret(words, options);
    if (app.get_option("--device")->count() > 0) {
      const bool named = app.get_option("--devices")->count() > 0 &&
                         origin(app, "devices", arguments) == results::Option::Origin::command_line;
      choose_soft_devices(words, named, options);
    }
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream ignored;
    if (app.exit(error, out, ignored) == 0) return {std::nullopt, out.str(), false};
    return mistake(program, error.what());
  } catch (const std::invalid_argument& error) {
    return mistake(program, error.what());
  }
  options.in_force = in_force(app, options, words, arguments);
  return {options, "", false};
}

}  // namespace railgauge::benchmarks
