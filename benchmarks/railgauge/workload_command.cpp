#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/railgauge/commands.hpp"
#include "finding/words.hpp"
#include "options/shared.hpp"
#include "results/input_file.hpp"
#include "results/output_file.hpp"
#include "workload/check.hpp"
#include "workload/job.hpp"
#include "workload/kinds.hpp"
#include "workload/rendering.hpp"

namespace railgauge::benchmarks {
namespace {

using results::ExitCode;
using workload::Workload;

constexpr std::int64_t kMostRanksOfJob = 1 << 20;

class MakeCommand final : public Command {
 public:
  MakeCommand()
      : Command({.program = "railgauge workload make",
                 .about = "Write a workload of a kind: " + finding::joined(workload::kinds()),
                 .examples = {{"railgauge workload make dense --model llama-3-70b -o dense.json",
                               "Training step; parameters are in the file, and --set replaces "
                               "them where it is used"}}}) {
    table().argument("kind", kind_);
    table().scalar("--model", model_, options::text("NAME"),
                   "Sizes of dense and kv: " + finding::joined(workload::models()));
    table().scalar(options::output_file(), output_.path);
    table().flag(options::force(), output_.overwrite);
  }

  [[nodiscard]] ExitCode run(std::ostream& out, std::ostream& /*remarks*/) const override {
    output_.write(workload::as_json(workload::make(kind_, model_)).dump(1) + "\n", out);
    return ExitCode::ok;
  }

 private:
  std::string kind_;
  std::string model_;
  results::OutputFile output_;
};

/// What is done with a workload and a number of ranks.
class RanksCommand : public Command {
 protected:
  explicit RanksCommand(manual::Manual manual) : Command(std::move(manual)) {
    table().argument("workload", file_);
    table().scalar("--ranks", ranks_, options::whole<workload::Rank>(1, kMostRanksOfJob),
                   "Number of ranks");
    table().repeated("--set", settings_, "NAME=VALUE[,...]",
                     "Parameters in place of the workload's");
  }

  [[nodiscard]] Workload workload() const {
    const std::string made = workload::text_of_kind(file_);
    return workload::workload_in(made.empty() ? results::read_input(file_) : made,
                                 results::name_of_input(file_));
  }
  [[nodiscard]] workload::Job job(const Workload& workload) const {
    return workload::job_of(workload, ranks_, workload::settings_of(settings_));
  }

 private:
  std::string file_;
  workload::Rank ranks_ = 8;
  std::vector<std::string> settings_;
};

class ShowCommand final : public RanksCommand {
 public:
  ShowCommand()
      : RanksCommand(
            {.program = "railgauge workload show",
             .about = "Show what a workload is for a number of ranks: bytes of each group, "
                      "operations of each class of ranks",
             .examples = {{"railgauge workload show dense.json --ranks 4096 --set tp=8,pp=8",
                           "A training step on 4,096 ranks"}}}) {}

  [[nodiscard]] ExitCode run(std::ostream& out, std::ostream& /*remarks*/) const override {
    const Workload shown = workload();
    out << as_table(shown, job(shown));
    return ExitCode::ok;
  }
};

class CheckCommand final : public RanksCommand {
 public:
  CheckCommand()
      : RanksCommand({.program = "railgauge workload check",
                      .about = "Prove a workload for a number of ranks: each send has its receive, "
                               "no deadlock, bytes as the closed forms have them",
                      .examples = {{"railgauge workload check moe --ranks 64 --set ep=8",
                                    "Print the first flaw with its line, exit status 2; or ok"}}}) {
  }

  [[nodiscard]] ExitCode run(std::ostream& out, std::ostream& /*remarks*/) const override {
    const Workload checked = workload();
    const workload::Job made = job(checked);
    check(checked, made);
    std::size_t operations = 0;
    for (const auto& streams : made.streams) {
      for (const auto& stream : streams) operations += stream.entries.size();
    }
    out << checked.file << ": ok for " << finding::counted(made.ranks, "rank") << ": "
        << finding::counted(operations, "operation") << " in a step, "
        << finding::counted(checked.closed_forms.size(), "closed form") << "\n";
    return ExitCode::ok;
  }
};

}  // namespace

std::unique_ptr<Command> workload_make_command() {
  return std::make_unique<MakeCommand>();
}

std::unique_ptr<Command> workload_show_command() {
  return std::make_unique<ShowCommand>();
}

std::unique_ptr<Command> workload_check_command() {
  return std::make_unique<CheckCommand>();
}

}  // namespace railgauge::benchmarks
