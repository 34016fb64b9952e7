#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "benchmarks/railgauge/fabric_options.hpp"
#include "finding/words.hpp"
#include "manual/manual.hpp"
#include "options/shared.hpp"
#include "results/output_file.hpp"
#include "schedule/algorithms.hpp"
#include "schedule/cost.hpp"
#include "schedule/exports.hpp"
#include "schedule/rendering.hpp"

namespace railgauge::benchmarks {
namespace {

using schedule::Collective;

// Beyond it a listing has more than 16 million lines, and a picture is unreadable.
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
      "there is no collective '" + name + "': use one of " + collective_names() +
      manual::did_you_mean(name, manual::split_names(without_blanks(collective_names()))));
}

void line(std::string& text, const char* name, const schedule::Schedule& schedule) {
  text += finding::printed("%-18s %8llu %8llu %9llu %11.3f\n", name,
                           static_cast<unsigned long long>(schedule.cost.rounds),
                           static_cast<unsigned long long>(schedule.cost.depth),
                           static_cast<unsigned long long>(schedule.cost.messages),
                           schedule::data_moved(schedule));
}

/// What a schedule is of.
struct Subject {
  std::string collective = "all_reduce";
  schedule::Team team{8, 0, 1};
};

void add_subject(options::OptionTable& table, Subject& of) {
  const auto ranks = options::whole<schedule::Rank>(1, kMostRanks);
  table.scalar(options::collective(), of.collective);
  table.scalar("--ranks", of.team.ranks, ranks, "Number of ranks");
  table.scalar("--ranks-per-host", of.team.per_host, ranks,
               "Number of ranks per host, for hierarchical algorithms");
  table.scalar("--root", of.team.root, options::whole<schedule::Rank>(0, kMostRanks),
               "Root rank, for collectives that have one");
}

class ScheduleShowCommand final : public Command {
 public:
  ScheduleShowCommand()
      : Command({.program = "railgauge schedule show",
                 .about = "Show every message of a schedule, and its cost",
                 .examples = {
                     {"railgauge schedule show --algo tree --ranks 8 --format svg -o tree.svg",
                      "Draw a schedule before running it"},
                     {"railgauge schedule show --ranks 64 --format htsim --size 16M -o ring.cm",
                      "The same for a simulator of packets"}}}) {
    add_subject(table(), of_);
    table().scalar("--algo", algorithm_, options::text("NAME"),
                   "Algorithm (default: the first one of the collective)");
    table().scalar("--format", format_, word_of({"table", "json", "svg", "goal", "htsim", "msccl"}),
                   "Output format: table, railgauge/schedule/1, picture, GOAL text (LogGOPSim, "
                   "ATLAHS), connection matrix of htsim, or XML of MSCCL and RCCL");
    table().scalar("--size", bytes_, options::size(), "Bytes of a rank, for goal and htsim");
    table().scalar(options::output_file(), output_.path);
    table().flag(options::force(), output_.overwrite);
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& /*remarks*/) const override {
    output_.write(shown(), out);
    return results::ExitCode::ok;
  }

 private:
  [[nodiscard]] std::string shown() const;

  Subject of_;
  std::string algorithm_;
  std::string format_ = "table";
  std::uint64_t bytes_ = 1U << 20U;
  results::OutputFile output_;
};

std::string ScheduleShowCommand::shown() const {
  const Collective collective = wanted(of_.collective);
  const schedule::Algorithm* algorithm = algorithm_.empty()
                                             ? schedule::algorithms(collective).data()
                                             : schedule::find_algorithm(collective, algorithm_);
  if (algorithm == nullptr) {
    throw std::invalid_argument(of_.collective + " has no algorithm '" + algorithm_ + "': it has " +
                                schedule::algorithm_names(collective) +
                                manual::did_you_mean(algorithm_, names_of(collective)));
  }
  if (of_.team.root != 0 && !schedule::rooted(collective)) {
    throw std::invalid_argument("--root: " + of_.collective + " has no root");
  }
  if (table().given("size") && format_ != "goal" && format_ != "htsim") {
    throw std::invalid_argument("--size is for --format goal and htsim");
  }
  const schedule::Schedule made = algorithm->make(of_.team);
  if (format_ == "goal") return schedule::as_goal(made, bytes_);
  if (format_ == "htsim") return schedule::as_htsim(made, bytes_);
  if (format_ == "msccl") return schedule::as_msccl(made);
  if (format_ == "json") return schedule::as_json(made);
  if (format_ == "table") return schedule::as_table(made);
  if (of_.team.ranks > kMostRanksDrawn) {
    throw std::invalid_argument("a schedule of " + std::to_string(of_.team.ranks) +
                                " ranks is too large to draw: --format svg takes up to " +
                                std::to_string(kMostRanksDrawn));
  }
  return schedule::as_svg(made);
}

class ScheduleListCommand final : public Command {
 public:
  ScheduleListCommand()
      : Command({.program = "railgauge schedule list",
                 .about = "List all algorithms of a collective, with their costs",
                 .examples = {{"railgauge schedule list --collective alltoall --ranks 12",
                               "List costs of its algorithms, and lower bounds"}}}) {
    add_subject(table(), of_);
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& /*remarks*/) const override {
    out << listed();
    return results::ExitCode::ok;
  }

 private:
  [[nodiscard]] std::string listed() const;

  Subject of_;
};

std::string ScheduleListCommand::listed() const {
  const Collective collective = wanted(of_.collective);
  const schedule::Bounds least = schedule::lower_bounds(collective, of_.team.ranks);
  std::string text = of_.collective + ", " + std::to_string(of_.team.ranks) +
                     " ranks; messages and data of the busiest rank\n" +
                     "algorithm            rounds    depth  messages  times data\n";
  for (const schedule::Algorithm& algorithm : schedule::algorithms(collective)) {
    try {
      line(text, std::string(algorithm.name).c_str(), algorithm.make(of_.team));
    } catch (const std::invalid_argument& cannot) {
      text += std::string(algorithm.name) + ": " + cannot.what() + "\n";
    }
  }
  return text + finding::printed("%-18s %8llu %8s %9s %11.3f\n", "(lower bound)",
                                 static_cast<unsigned long long>(least.rounds), "", "", least.data);
}

}  // namespace

std::unique_ptr<Command> schedule_show_command() {
  return std::make_unique<ScheduleShowCommand>();
}

std::unique_ptr<Command> schedule_list_command() {
  return std::make_unique<ScheduleListCommand>();
}

}  // namespace railgauge::benchmarks
