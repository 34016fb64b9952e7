#include "benchmarks/railgauge/command_tree.hpp"
#include "finding/words.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "manual/manual.hpp"
#include "options/shared.hpp"

namespace railgauge::benchmarks {
namespace {

struct Group {
  const char* program;
  const char* about;
};

constexpr std::array kGroups{
    Group{"railgauge schedule", "List and show the schedules of collectives"},
    Group{"railgauge reference", "List published results"},
    Group{"railgauge soak", "Summarise a soak record"},
    Group{"railgauge workload", "Make, mix, show and check the workloads of job_perf"}};

std::string last_word(const std::string& program) {
  return program.substr(program.rfind(' ') + 1);
}

std::vector<std::string> names_of(const std::vector<manual::Manual>& commands) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const manual::Manual& command : commands) names.push_back(last_word(command.program));
  return names;
}

std::vector<manual::Option> options_of_groups() {
  return {options::help(""), options::version("")};
}

/// Whose command it is: the group of that name, which is added if it is not there, or `manual`.
manual::Manual& parent_of(const std::string& program, manual::Manual& manual) {
  const std::string name = program.substr(0, program.rfind(' '));
  if (name == manual.program) return manual;
  const auto there = std::ranges::find(manual.commands, name, &manual::Manual::program);
  if (there != manual.commands.end()) return *there;
  const auto* const group = std::ranges::find(kGroups, name, &Group::program);
  manual.commands.push_back(
      {.program = name, .about = group->about, .options = options_of_groups()});
  return manual.commands.back();
}

bool has(const std::string& word, const manual::Manual& manual) {
  return std::ranges::count(names_of(manual.commands), word) > 0;
}

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument(why + "; see --help");
}

/// The command of a word that has to be one.
const manual::Manual& child(const std::string& word, const manual::Manual& manual) {
  const auto names = names_of(manual.commands);
  const auto at = std::ranges::find(names, word);
  if (at != names.end()) return manual.commands[static_cast<std::size_t>(at - names.begin())];
  if (word.starts_with('-')) {
    refuse("there is no option " + word.substr(0, word.find('=')) + " of " + manual.program);
  }
  refuse("there is no command '" + word + "' of " + manual.program + ": it has " +
         finding::joined(names) + manual::did_you_mean(word, names));
}

}  // namespace

manual::Manual manual_of(Commands& commands) {
  manual::Manual manual{
      .program = "railgauge",
      .about = "Inspect schedules, hosts and results",
      .options = options_of_groups(),
      .examples = {{"railgauge topo", "Show NUMA nodes, NICs and rails of this host"},
                   {"railgauge compare result.json --line-rate",
                    "Compare measured bandwidth with the line rate of the NICs"},
                   {"railgauge report result.json --line-rate -o report.html",
                    "Write the same as an HTML page"}},
      .sections = {
          {"Exit status",
           "0 PASS; 1 FAIL or INCONCLUSIVE; 2 usage error; 3 paths: no answer from the peer or "
           "from the switches; 5 a file cannot be read or written."}}};
  manual.options.push_back(options::completion(""));
  for (const auto& command : commands) {
    manual::Manual own = command->table().manual();
    parent_of(own.program, manual).commands.push_back(std::move(own));
  }
  return manual;
}

const manual::Manual& named_by(const std::vector<std::string>& line, const manual::Manual& manual,
                               std::size_t& words) {
  const manual::Manual* at = &manual;
  for (words = 0; !at->commands.empty(); ++words) {
    const bool is_command = !at->arguments.empty();  // as well as a group
    if (is_command && (words == line.size() || !has(line[words], *at))) break;
    if (words == line.size()) {
      refuse("expected a command of " + at->program + ": " +
             finding::joined(names_of(at->commands)));
    }
    if (line[words] == "--help" || line[words] == "-h") break;
    at = &child(line[words], *at);
  }
  return *at;
}

}  // namespace railgauge::benchmarks
