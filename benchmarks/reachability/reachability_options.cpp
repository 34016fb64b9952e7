#include "benchmarks/reachability/reachability_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "results/version.hpp"

namespace railgauge::benchmarks {
namespace {

constexpr int kMostSoftRails = 64;  // what softroce has addresses for
constexpr const char* kFooter =
    "One rank a host, which drives all its NICs: launchers/mpirun --map-by node.\n"
    "Every option may also stand in the environment: --devices as RAILGAUGE_DEVICES.\n"
    "Exit status: 0 the hosts' rails fit together, every NIC reaches those of its rail, and no "
    "pair\n"
    "is slower than half of the median of its kind; 1 not so, and each is named; 2 usage; 3 "
    "time-out;\n"
    "5 environment (no device, no memory, no file); 130 interrupted.";

/// What the options say, before it is understood.
struct Words {
  std::string device;
  int gid_index = -1;
  int milliseconds = 10;
  int seconds = 60;
  bool same_rail_only = false;
  bool cross_rail = false;
};

void add_nics(CLI::App& app, Words& words, ReachabilityOptions& options) {
  app.add_option("--devices", options.devices,
                 "RDMA devices of this host: one rail each, in this order (default: all usable "
                 "ones, in order of their names)")
      ->delimiter(',')
      ->type_name("LIST");
  app.add_option("--device", words.device,
                 "soft or soft:RAILS: so many devices in software (default: 1), and no other; "
                 "every rank counts as a host then")
      ->type_name("KIND");
  app.add_option("--gid-index", words.gid_index,
                 "GID of every port, by its index; -1: by rule (RoCE v2, IPv4, not link-local)")
      ->check(CLI::Range(-1, 65'535));
}

void add_questions(CLI::App& app, Words& words, ReachabilityOptions& options) {
  CLI::Option* const only =
      app.add_flag("--same-rail-only", words.same_rail_only,
                   "Ask only NICs of one rail: quicker where rails are separate networks");
  app.add_flag("--cross-rail", words.cross_rail,
               "NICs of different rails have to reach each other, too")
      ->excludes(only);
  app.add_option("--time", words.milliseconds,
                 "Milliseconds of writing, of each pair in each direction")
      ->check(CLI::Range(1, 1000));
  app.add_option("--retries", options.retries,
                 "Times that pairs that look slow are measured again; the best of each counts")
      ->check(CLI::Range(0, 1000));
  app.add_option("-T,--timeout", words.seconds, "Seconds to wait for other hosts")
      ->check(CLI::Range(10, 86'400));
}

void add_output(CLI::App& app, ReachabilityOptions& options) {
  app.add_option("-J,--output_file", options.output_file,
                 "Document (JSON, railgauge/reachability/1)")
      ->type_name("PATH");
  app.add_option("--svg", options.svg_file, "Draw the heat map into this file")->type_name("PATH");
  app.add_flag("--colours", options.colours,
               "A heat map in colours; launchers/mpirun asks for it on a terminal, which Open MPI "
               "hides from the ranks");
  app.add_flag("--force", options.overwrite, "Replace these files if they exist");
}

/// "RAILGAUGE_GID_INDEX" of "gid-index".
std::string variable_of(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
  });
  return "RAILGAUGE_" + name;
}

int soft_rails(std::string_view word) {
  if (word == "soft") return 1;
  constexpr std::string_view kPrefix = "soft:";
  int rails = 0;
  if (word.starts_with(kPrefix)) {
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + kPrefix.size(), end, rails);
    if (error != std::errc{} || stop != end) rails = 0;
  }
  if (rails >= 1 && rails <= kMostSoftRails) return rails;
  throw std::invalid_argument("--device does not know '" + std::string(word) +
                              "': it takes soft, or soft:RAILS with 1 to " +
                              std::to_string(kMostSoftRails) + " rails");
}

void validate(const Words& words, bool devices_named, ReachabilityOptions& options) {
  if (words.gid_index >= 0) options.gid_index = words.gid_index;
  if (words.same_rail_only) options.scope = reachability::Scope::same_rail;
  if (words.cross_rail) options.cross_rail = reachability::CrossRail::has_to_work;
  options.time = std::chrono::milliseconds(words.milliseconds);
  options.limit = std::chrono::seconds(words.seconds);
  if (options.overwrite && options.output_file.empty() && options.svg_file.empty()) {
    throw std::invalid_argument("--force without -J or --svg: no file to replace");
  }
  if (words.device.empty()) return;
  if (devices_named) throw std::invalid_argument("--device and --devices: give one of the two");
  options.soft_rails = soft_rails(words.device);
  options.devices.clear();  // in place of those that the environment names
  for (int rail = 0; rail < options.soft_rails; ++rail) {
    options.devices.push_back("soft" + std::to_string(rail));
  }
}

bool on_command_line(int argc, char** argv, std::string_view option) {
  return std::any_of(argv, argv + argc, [&](const char* word) {
    return word == option || std::string_view(word).starts_with(std::string(option) + "=");
  });
}

}  // namespace

ParsedReachabilityOptions parse_reachability_options(int argc, char** argv) {
  CLI::App app("Which NIC of the fabric reaches which other, how fast, and which should",
               "reachability_perf");
  app.set_version_flag("--version", std::string(results::kVersion) + " " + results::kCommit);
  app.footer(kFooter);
  app.option_defaults()->always_capture_default();
  Words words;
  ReachabilityOptions options;
  add_nics(app, words, options);
  add_questions(app, words, options);
  add_output(app, options);
  for (CLI::Option* option : app.get_options()) {
    if (option->get_configurable() && !option->get_lnames().empty()) {
      option->envname(variable_of(option->get_lnames().front()));
    }
  }
  try {
    app.parse(argc, argv);
    validate(words, on_command_line(argc, argv, "--devices"), options);
    return {options, "", false};
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    const bool mistake = app.exit(error, out, out) != 0;
    return {std::nullopt, out.str(), mistake};
  } catch (const std::invalid_argument& error) {
    return {std::nullopt, std::string("reachability_perf: ") + error.what(), true};
  }
}

}  // namespace railgauge::benchmarks
