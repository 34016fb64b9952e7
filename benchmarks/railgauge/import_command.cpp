#include <algorithm>
#include <filesystem>
#include <limits>
#include <span>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "finding/words.hpp"
#include "options/shared.hpp"
#include "results/input_file.hpp"
#include "results/output_file.hpp"
#include "schedule/collective.hpp"
#include "verdict/logs/import.hpp"
#include "workload/traces/import.hpp"

namespace railgauge::benchmarks {
namespace {

namespace fs = std::filesystem;

options::Syntax<std::string> format() {
  options::Syntax<std::string> syntax = options::text("NAME");
  syntax.words = verdict::log_formats();
  syntax.words.insert(syntax.words.begin(), "auto");
  return syntax;
}

/// Without .json, and without the folder.
std::string name_of(const std::string& path) {
  return path == "-" ? "imported" : fs::path(path).stem().string();
}

/// "nothing" is an empty list; else names that commas separate.
std::vector<std::string> interconnects_of(const std::string& text) {
  return text == "nothing" ? std::vector<std::string>() : finding::split(text);
}

options::Syntax<verdict::BufferMode> place() {
  using Mode = verdict::BufferMode;
  std::vector<std::pair<std::string, Mode>> words;
  for (const Mode mode : {Mode::unstated, Mode::out_of_place, Mode::in_place})
    words.emplace_back(results::word(mode), mode);
  return options::choice<Mode>(words);
}

/// Of points that the log says nothing of. Tests of two ranks have neither type nor place.
void state(verdict::Run& run, const std::string& type, verdict::BufferMode place) {
  if (!schedule::collective(run.collective)) return;
  for (verdict::Point& point : run.points) {
    if (point.type.empty()) point.type = type;
    if (point.buffers == verdict::BufferMode::unstated) point.buffers = place;
  }
}

bool lacks_collective(const verdict::Reference& reference) {
  return std::ranges::any_of(reference.runs,
                             [](const verdict::Run& run) { return run.collective.empty(); });
}

std::string about_traces() {
  std::vector<std::string> names;
  for (const auto& one : workload::traces::formats()) names.emplace_back(one.name);
  return "railgauge import " + finding::joined(names, " | ") +
         " TRACE... writes a workload for job_perf; each has its own --help. A log of such a name "
         "is ./NAME.";
}

class ImportCommand final : public Command {
 public:
  ImportCommand()
      : Command(
            {.program = "railgauge import",
             .about = "Convert another benchmark's log to a reference",
             .examples = {{"railgauge import nccl.log --nodes 4 --nics 8 --gbits 400 -o nccl.json",
                           "Convert a log of nccl-tests"}},
             .sections = {{"Traces", about_traces()}}}) {
    table().argument("log", log_);
    table().scalar("--format", format_, format(), "Log format: " + finding::joined(format().words));
    table().scalar(options::output_file(), output_.path);
    table().flag(options::force(), output_.overwrite);
    add_missing();
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  void add_missing();
  [[nodiscard]] verdict::Imported imported(std::ostream& complaints) const;
  void report(std::ostream& out, const verdict::Complaints& complaints) const;

  std::string log_;
  std::string format_ = "auto";
  results::OutputFile output_;
  verdict::Stated stated_;
  std::string beside_;
  verdict::BufferMode place_ = verdict::BufferMode::unstated;
  verdict::Reference about_;  // name, system, transport, source: what no log says
};

void ImportCommand::add_missing() {
  using options::text;
  const auto count = options::whole<int>(1, std::numeric_limits<int>::max());
  table().group("Facts missing from the log");
  table().scalar(options::collective(), stated_.collective);
  table().scalar("--type", stated_.type, text("TYPE"), "Element type");
  table().scalar("--place", place_, place(), "Whether the output lies over the input");
  table().optional("--ranks", stated_.ranks, count, "Number of ranks");
  table().optional("--nodes", stated_.nodes, count, "Number of hosts");
  table().optional(options::nics_per_host(), stated_.nics_per_node);
  table().optional(options::line_rate_of_nic(), stated_.line_rate_gigabits_per_second);
  table().scalar(
      "--beside", beside_, text("NAMES"),
      "Other interconnects used between ranks, separated by commas: NVLink, NVLS, SHARP, "
      "memory; or nothing");
  table().scalar("--name", about_.name, text("NAME"), "Reference name (default: from the file)");
  table().scalar("--system", about_.system, text("TEXT"), "Short description of the system");
  table().scalar(options::transport(), about_.transport);
  table().scalar("--source", about_.source.url, text("URL"), "Web address of the log");
  table().scalar("--date", about_.source.date, text("DATE"), "Measurement date: 2026-01-31");
}

void ImportCommand::report(std::ostream& out, const verdict::Complaints& complaints) const {
  constexpr std::size_t kMost = 50;
  const std::string name = results::name_of_input(log_);
  for (const verdict::Complaint& complaint :
       std::span(complaints).first(std::min(kMost, complaints.size()))) {
    out << name << ":" << complaint.line << ": " << complaint.text << "; skipped\n";
  }
  if (complaints.size() > kMost) {
    out << name << ": and " << complaints.size() - kMost << " more lines skipped\n";
  }
}

verdict::Imported ImportCommand::imported(std::ostream& complaints) const {
  const std::string text = results::read_input(log_);
  verdict::Stated stated = stated_;
  if (!beside_.empty()) stated.beside_nics = interconnects_of(beside_);
  const std::string name = results::name_of_input(log_);
  try {
    return verdict::import_log(text, format_, stated);
  } catch (const verdict::NoFigures& error) {
    report(complaints, error.complaints());
    throw std::invalid_argument(name + ": " + error.what());
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(name + ": " + error.what());
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read " + name + ": " + error.what());
  }
}

results::ExitCode ImportCommand::run(std::ostream& out, std::ostream& remarks) const {
  const verdict::Imported imported = this->imported(remarks);
  report(remarks, imported.complaints);
  if (imported.reference.ending) {
    for (const std::string& reason : imported.reference.ending->reasons)
      remarks << results::name_of_input(log_) << ": " << reason << "\n";
  }
  if (lacks_collective(imported.reference)) {
    remarks << results::name_of_input(log_)
            << ": the log does not name its collective: give it with --collective, such as "
               "all_reduce, or the figures cannot be compared\n";
  }
  verdict::Reference reference = about_;
  reference.nics_per_node = imported.reference.nics_per_node;
  reference.line_rate_gigabits_per_second = imported.reference.line_rate_gigabits_per_second;
  reference.runs = imported.reference.runs;
  for (verdict::Run& run : reference.runs) state(run, stated_.type, place_);
  reference.ending = imported.reference.ending;
  reference.source.title = log_ == "-" ? "" : fs::path(log_).filename().string();
  if (reference.name.empty()) reference.name = name_of(output_.path.empty() ? log_ : output_.path);
  output_.write(verdict::json_text(reference), out);
  return results::ExitCode::ok;
}

}  // namespace

std::unique_ptr<Command> import_command() {
  return std::make_unique<ImportCommand>();
}

}  // namespace railgauge::benchmarks
