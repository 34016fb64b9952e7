#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
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
#include "workload/mix.hpp"
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

Workload workload_of(const std::string& file) {
  const std::string made = workload::text_of_kind(file);
  return workload::workload_in(made.empty() ? results::read_input(file) : made,
                               results::name_of_input(file));
}

/// "dense.json" of a path, as a word: "dense".
std::string word_of(const std::string& file) {
  std::string word = std::filesystem::path(file).stem().string();
  const auto is_other = [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; };
  std::ranges::replace_if(word, is_other, '_');
  return word;
}

/// A workload, and what it is in a mix.
struct MixPart {
  std::string name{};
  Workload workload{};
};

std::vector<std::uint32_t> rails_in(const std::string& text) {
  std::vector<std::uint32_t> rails;
  constexpr std::uint32_t kMostRails = 1024;
  for (const std::string& word : finding::split(text, '+'))
    rails.push_back(options::whole<std::uint32_t>(0, kMostRails).parse(word));
  return rails;
}

[[noreturn]] void refuse_field(const std::string& part, const std::string& field) {
  throw std::invalid_argument("part '" + part + "': there is no '" + field +
                              "': expected name, traffic_class, rails, first_rank or rank_count");
}

/// Of "dense.json,name=train,traffic_class=104".
MixPart part_of(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  std::getline(words, word, ',');
  MixPart part{.name = word_of(word), .workload = workload_of(word)};
  while (std::getline(words, word, ',')) {
    const std::string field = word.substr(0, word.find('='));
    const std::string value = word.substr(std::min(field.size() + 1, word.size()));
    if (field == "name") {
      part.name = value;
    } else if (field == "traffic_class") {
      part.workload.traffic_class.text = value;
    } else if (field == "first_rank") {
      part.workload.first_rank.text = value;
    } else if (field == "rank_count") {
      part.workload.rank_count.text = value;
    } else if (field == "rails") {
      part.workload.rails = rails_in(value);
    } else {
      refuse_field(text, field);
    }
  }
  return part;
}

class MixCommand final : public Command {
 public:
  MixCommand()
      : Command({.program = "railgauge workload mix",
                 .about =
                     "Join workloads that run at the same time, in traffic classes, over rails or "
                     "on ranks of their own. A part is WORKLOAD[,FIELD=VALUE...] with the fields "
                     "name, traffic_class, rails (0+1), first_rank and rank_count",
                 .examples = {{"railgauge workload mix dense.json,name=train,traffic_class=104 "
                               "checkpoint -o mix.json",
                               "A training step next to checkpoints, which have another class"}}}) {
    table().arguments("parts", parts_);
    table().scalar(options::output_file(), output_.path);
    table().flag(options::force(), output_.overwrite);
  }

  [[nodiscard]] ExitCode run(std::ostream& out, std::ostream& /*remarks*/) const override {
    std::vector<Workload> workloads;
    std::vector<std::string> names;
    for (const std::string& one : parts_) {
      MixPart part = part_of(one);
      workloads.push_back(std::move(part.workload));
      names.push_back(std::move(part.name));
    }
    // Read again: what fields have is proved as in any document.
    const std::string text = workload::as_json(workload::mixed(workloads, names)).dump(1) + "\n";
    (void)workload::workload_in(text, "mix");
    output_.write(text, out);
    return ExitCode::ok;
  }

 private:
  std::vector<std::string> parts_;
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

  [[nodiscard]] Workload workload() const { return workload_of(file_); }
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
                           "A training step on 4,096 ranks"},
                          {"railgauge workload show moe --svg moe.svg --gigabits 50",
                           "A time line of each class of ranks, whose ports have 50 Gb/s"}}}) {
    table().scalar("--svg", picture_.path, options::text("FILE"),
                   "SVG file to draw the time line of a step into, at line rate");
    table().scalar("--gigabits", gigabits_, options::positive_number(),
                   "With --svg, line rate of a rank in Gb/s");
    table().flag(options::force(), picture_.overwrite);
  }

  [[nodiscard]] ExitCode run(std::ostream& out, std::ostream& /*remarks*/) const override {
    if (picture_.path.empty() && (table().given("gigabits") || table().given("force")))
      throw std::invalid_argument("--gigabits and --force need --svg");
    const Workload shown = workload();
    const workload::Job made = job(shown);
    if (!picture_.path.empty()) {
      check(shown, made);
      constexpr double kOfGigabit = 125;  // bytes in a microsecond
      picture_.write(as_svg(shown, made, kOfGigabit * gigabits_), out);
    }
    out << as_table(shown, made);
    return ExitCode::ok;
  }

 private:
  results::OutputFile picture_;
  double gigabits_ = 400;
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

std::unique_ptr<Command> workload_mix_command() {
  return std::make_unique<MixCommand>();
}

std::unique_ptr<Command> workload_show_command() {
  return std::make_unique<ShowCommand>();
}

std::unique_ptr<Command> workload_check_command() {
  return std::make_unique<CheckCommand>();
}

}  // namespace railgauge::benchmarks
