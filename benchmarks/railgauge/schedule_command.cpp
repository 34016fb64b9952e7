#include "benchmarks/railgauge/schedule_command.hpp"

#include <array>
#include <cstdio>
#include <stdexcept>

#include "manual/manual.hpp"
#include "manual/suggestion.hpp"
#include "results/output_file.hpp"
#include "schedule/algorithms.hpp"
#include "schedule/cost.hpp"
#include "schedule/rendering.hpp"

namespace railgauge::benchmarks {
namespace {

using schedule::Collective;

// Beyond it a listing has more than 16 million lines, and a picture cannot be looked at.
constexpr schedule::Rank kMostRanks = 4096;
constexpr schedule::Rank kMostRanksDrawn = 256;

std::string collective_names() {
  std::string names;
  Collective last{};
  for (const schedule::Algorithm& algorithm : schedule::algorithms()) {
    if (!names.empty() && algorithm.collective == last) continue;
    last = algorithm.collective;
    names += (names.empty() ? "" : ", ") + std::string(schedule::name(last));
  }
  return names;
}

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

std::vector<std::string> names_of(Collective collective) {
  return manual::split_names(without_blanks(schedule::algorithm_names(collective)));
}

Collective wanted(const std::string& name) {
  const auto found = schedule::collective(name);
  if (found) return *found;
  throw std::invalid_argument(
      "there is no collective '" + name + "': it is one of " + collective_names() +
      manual::did_you_mean(name, manual::split_names(without_blanks(collective_names()))));
}

void line(std::string& text, const char* name, const schedule::Schedule& schedule) {
  std::array<char, 160> row{};
  std::snprintf(row.data(), row.size(), "%-18s %8llu %8llu %9llu %11.3f\n", name,
                static_cast<unsigned long long>(schedule.cost.rounds),
                static_cast<unsigned long long>(schedule.cost.depth),
                static_cast<unsigned long long>(schedule.cost.messages),
                schedule::data_moved(schedule));
  text += row.data();
}

}  // namespace

ScheduleCommand::ScheduleCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("schedule", "Who sends what to whom");
  command->require_subcommand(1);
  show_ = command->add_subcommand("show", "One schedule: every message, and its cost");
  list_ = command->add_subcommand("list", "All algorithms of a collective, with their costs");
  add_team(*show_);
  add_team(*list_);
  show_->add_option("--algo", algorithm_, "Algorithm (default: the collective's first)");
  show_->add_option("--format", format_, "table, json or svg")
      ->check(CLI::IsMember({"table", "json", "svg"}));
  show_->add_option("-o,--output", output_.path, "File to write (default: stdout)");
  show_->add_flag("--force", output_.overwrite, "Replace the file if it exists");
}

void ScheduleCommand::add_team(CLI::App& command) {
  command.add_option("--collective", collective_, collective_names())->capture_default_str();
  command.add_option("--ranks", team_.ranks, "How many ranks")
      ->capture_default_str()
      ->check(CLI::Range(schedule::Rank{1}, kMostRanks));
  command.add_option("--ranks-per-host", team_.per_host, "For hierarchical algorithms")
      ->capture_default_str()
      ->check(CLI::Range(schedule::Rank{1}, kMostRanks));
  command.add_option("--root", team_.root, "Of the collectives that have one");
}

void ScheduleCommand::run(std::ostream& out) const {
  if (list_->parsed()) {
    out << listed();
  } else {
    output_.write(shown(), out);
  }
}

std::string ScheduleCommand::shown() const {
  const Collective collective = wanted(collective_);
  const schedule::Algorithm* algorithm = algorithm_.empty()
                                             ? schedule::algorithms(collective).data()
                                             : schedule::find_algorithm(collective, algorithm_);
  if (algorithm == nullptr) {
    throw std::invalid_argument(collective_ + " has no algorithm '" + algorithm_ + "': it has " +
                                schedule::algorithm_names(collective) +
                                manual::did_you_mean(algorithm_, names_of(collective)));
  }
  if (team_.root != 0 && !schedule::rooted(collective)) {
    throw std::invalid_argument("--root: " + collective_ + " has none");
  }
  const schedule::Schedule made = algorithm->make(team_);
  if (format_ == "json") return schedule::as_json(made);
  if (format_ == "table") return schedule::as_table(made);
  if (team_.ranks > kMostRanksDrawn) {
    throw std::invalid_argument("a picture of " + std::to_string(team_.ranks) +
                                " ranks cannot be looked at: --format svg takes up to " +
                                std::to_string(kMostRanksDrawn));
  }
  return schedule::as_svg(made);
}

std::string ScheduleCommand::listed() const {
  const Collective collective = wanted(collective_);
  const schedule::Bounds least = schedule::lower_bounds(collective, team_.ranks);
  std::string text = collective_ + ", " + std::to_string(team_.ranks) +
                     " ranks; messages and data of the busiest rank\n" +
                     "algorithm            rounds    depth  messages  times data\n";
  for (const schedule::Algorithm& algorithm : schedule::algorithms(collective)) {
    try {
      line(text, std::string(algorithm.name).c_str(), algorithm.make(team_));
    } catch (const std::invalid_argument& cannot) {
      text += std::string(algorithm.name) + ": " + cannot.what() + "\n";
    }
  }
  std::array<char, 160> row{};
  std::snprintf(row.data(), row.size(), "%-18s %8llu %8s %9s %11.3f\n", "(lower bound)",
                static_cast<unsigned long long>(least.rounds), "", "", least.data);
  return text + row.data();
}

}  // namespace railgauge::benchmarks
