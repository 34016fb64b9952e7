#include "benchmarks/railgauge/command_manual.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <sstream>
#include <utility>

#include "manual/suggestion.hpp"

namespace railgauge::benchmarks {
namespace {

struct CommandExample {
  const char* command;
  const char* line;
  const char* about;
};

constexpr std::array kExamples{
    CommandExample{"railgauge", "railgauge topo", "This host's NUMA nodes, NICs and rails"},
    CommandExample{"railgauge", "railgauge compare result.json --line-rate",
                   "Is the measured bandwidth that of the NICs?"},
    CommandExample{"railgauge", "railgauge report result.json --line-rate -o report.html",
                   "The same as a page to hand over"},
    CommandExample{"compare", "railgauge compare result.json --reference oci-mi300x-8x400g-roce",
                   "Against a published system, by share of line rate"},
    CommandExample{"compare",
                   "railgauge compare today.json --baseline last-week.json --tolerance 3%",
                   "Against an earlier run on the same hosts"},
    CommandExample{"import",
                   "railgauge import nccl.log --nodes 4 --nics 8 --gbits 400 -o nccl.json",
                   "A log of nccl-tests as a reference"},
    CommandExample{"paths", "railgauge paths 10.10.0.8 --source 10.10.0.1 --queue-pairs 8",
                   "Switches on the way by source port, and ports that spread 8 queue pairs"},
    CommandExample{"report", "railgauge report a.json b.json --baseline last-week.json --format md",
                   "A comment for a pull request"},
    CommandExample{"topo", "railgauge topo --ranks 8 --svg host.svg --rankfile ranks",
                   "Where 8 ranks belong, with a picture and a rankfile"},
    CommandExample{"topo", "railgauge topo --from node1.host node2.host",
                   "Recordings of several hosts, checked as one fabric"},
    CommandExample{"show", "railgauge schedule show --algo tree --ranks 8 --format svg -o tree.svg",
                   "A picture of what will run"},
    CommandExample{"list", "railgauge schedule list --collective alltoall --ranks 12",
                   "Costs of its algorithms, and lower bounds"},
    CommandExample{"suggest", "railgauge reference suggest result.json",
                   "Published systems with NICs like those of a result"},
};

constexpr const char* kUsualGroup = "Options";

bool names_a_file(const std::string& name) {
  constexpr std::array kFiles{"output", "svg", "record", "rankfile", "baseline", "from"};
  return std::ranges::count(kFiles, name) > 0;
}

/// a, b and c of "TEXT:{a,b,c}".
std::vector<std::string> words_of(const std::string& type) {
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return manual::split_names(std::string_view(type).substr(begin + 1, end - begin - 1));
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// What stands for the value: "NUMBER", "table|json|svg"; CLI11's names are those of C++ types.
std::string value_of(const CLI::Option& option, const std::vector<std::string>& words) {
  if (option.get_expected_max() == 0) return "";  // a flag
  if (!words.empty()) return joined(words, "|");
  const std::string type = option.get_type_name();
  if (names_a_file(manual::long_name(option.get_name(false, true)))) return "PATH";
  const bool number =
      type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
  return number ? "NUMBER" : "TEXT";
}

manual::Option option_of(const CLI::Option& option) {
  const auto words = words_of(option.get_type_name());
  return {.names = option.get_name(false, true),
          .value = value_of(option, words),
          .about = option.get_description(),
          .initial = option.get_default_str(),
          .group = option.get_group() == kUsualGroup ? "" : option.get_group(),
          .words = words};
}

/// "RESULTS..." of a positional that takes several.
std::string argument_of(const CLI::Option& option) {
  std::string name = option.get_name(true);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (option.get_expected_max() > 1) name += "...";
  return option.get_required() ? name : "[" + name + "]";
}

bool is_any(const CLI::App* /*command*/) {
  return true;
}

manual::Manual told(const CLI::App& app, const std::string& program) {
  manual::Manual manual{.program = program, .about = app.get_description()};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      manual.arguments += (manual.arguments.empty() ? "" : " ") + argument_of(*option);
    } else {
      manual.options.push_back(option_of(*option));
    }
  }
  for (const auto& [command, line, about] : kExamples) {
    if (app.get_name() == command) manual.examples.push_back({line, about});
  }
  for (const CLI::App* command : app.get_subcommands(is_any)) {
    manual.commands.push_back(told(*command, program + " " + command->get_name()));
  }
  return manual;
}

/// "railgauge schedule show".
std::string whole_name(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return (parent == nullptr ? "" : whole_name(*parent) + " ") + app.get_name();
}

class Help final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    const manual::Manual manual =
        app->get_parent() == nullptr ? manual_of(*app) : told(*app, whole_name(*app));
    return manual::help(manual);
  }
};

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) continue;
    for (std::string& name : manual::split_names(option->get_name(false, true))) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(is_any)) names.push_back(command->get_name());
  return names;
}

}  // namespace

manual::Manual manual_of(const CLI::App& app) {
  manual::Manual manual = told(app, whole_name(app));
  manual.options.push_back({.names = "--man", .about = "Print the man page and exit"});
  manual.options.push_back({.names = "--completion",
                            .value = "SHELL",
                            .about = "Print completion for bash or zsh and exit",
                            .words = {"bash", "zsh"}});
  manual.sections = {
      {"Exit status",
       "0 success; 1 something is wrong, or has no answer; 2 a wrong command line; 3 "
       "paths: the peer does not answer, or no switch that could tell its path; 5 a file that "
       "cannot be read or written."}};
  return manual;
}

void settle(CLI::App& app) {
  app.formatter(std::make_shared<Help>());
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() != 1 || option->get_positional()) continue;
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) settle(*command);
}

std::string unknown_word(const CLI::App& app, int argc, char** argv) {
  const CLI::App* current = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto commands = command_names(*current);
    if (word.starts_with('-') && word.size() > 1) {
      const std::string name = word.substr(0, word.find('='));
      const auto names = option_names(*current);
      if (!name.starts_with("--") || std::ranges::count(names, name) > 0) continue;
      return "there is no option " + name + " of " + whole_name(*current) +
             manual::did_you_mean(name, names);
    }
    if (commands.empty()) continue;
    if (std::ranges::count(commands, word) == 0) {
      return "there is no command '" + word + "' of " + whole_name(*current) + ": it has " +
             joined(commands, ", ") + manual::did_you_mean(word, commands);
    }
    current = current->get_subcommand(word);
  }
  return "";
}

}  // namespace railgauge::benchmarks
