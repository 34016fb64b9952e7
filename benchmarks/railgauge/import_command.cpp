#include "benchmarks/railgauge/import_command.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <sstream>
#include <stdexcept>

#include "results/input_file.hpp"

namespace railgauge::benchmarks {
namespace {

namespace fs = std::filesystem;

std::string formats() {
  std::string names = "auto";
  for (const std::string& name : verdict::log_formats()) names += ", " + name;
  return names;
}

/// Without .json, and without the folder.
std::string name_of(const std::string& path) {
  return path == "-" ? "imported" : fs::path(path).stem().string();
}

/// "nothing" is an empty list; else names that commas separate.
std::vector<std::string> ways_of(const std::string& text) {
  std::vector<std::string> ways;
  if (text == "nothing") return ways;
  std::stringstream words(text);
  for (std::string word; std::getline(words, word, ',');) ways.push_back(word);
  return ways;
}

bool lacks_collective(const verdict::Reference& reference) {
  return std::ranges::any_of(reference.runs,
                             [](const verdict::Run& run) { return run.collective.empty(); });
}

}  // namespace

ImportCommand::ImportCommand(CLI::App& app) {
  command_ = app.add_subcommand("import", "A log of another benchmark as a reference document");
  command_->add_option("log", log_, "Log to read; - for standard input")->required();
  command_->add_option("--format", format_, formats())->capture_default_str();
  command_->add_option("-o,--output", output_.path, "File to write (default: stdout)");
  command_->add_flag("--force", output_.overwrite, "Replace the file if it exists");
  const std::string group = "What the log does not say";
  const auto option = [&](const char* name, auto& value, const char* text) {
    return command_->add_option(name, value, text)->group(group);
  };
  option("--collective", stated_.collective, "all_reduce, all_gather, ...");
  option("--type", stated_.type, "Element type (of Gloo's tables)");
  option("--ranks", stated_.ranks, "How many ranks")->check(CLI::PositiveNumber);
  option("--nodes", stated_.nodes, "How many hosts")->check(CLI::PositiveNumber);
  option("--nics", stated_.nics_per_node, "NICs that each host used")->check(CLI::PositiveNumber);
  option("--gbits", stated_.line_rate_gigabits_per_second, "Line rate of one NIC, Gb/s")
      ->check(CLI::PositiveNumber);
  option("--beside", beside_,
         "What carries data between ranks besides the NICs: NVLink, NVLS, SHARP, memory (several "
         "with commas), or nothing");
  option("--name", about_.name, "Name of the reference (default: that of the file)");
  option("--system", about_.system, "The system, in a few words");
  option("--transport", about_.transport, "RoCEv2, InfiniBand, ...");
  option("--source", about_.source.url, "Web address the log is from");
  option("--date", about_.source.date, "When it was measured: 2026-01-31");
}

void ImportCommand::report(std::ostream& out, const verdict::Complaints& complaints) const {
  constexpr std::size_t kMost = 50;
  const std::string name = results::name_of_input(log_);
  for (const verdict::Complaint& complaint :
       std::span(complaints).first(std::min(kMost, complaints.size()))) {
    out << name << ":" << complaint.line << ": " << complaint.text << "; left out\n";
  }
  if (complaints.size() > kMost) {
    out << name << ": and " << complaints.size() - kMost << " more that were left out\n";
  }
}

verdict::Imported ImportCommand::imported(std::ostream& complaints) const {
  const std::string text = results::read_input(log_);
  verdict::Stated stated = stated_;
  if (!beside_.empty()) stated.beside_nics = ways_of(beside_);
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

void ImportCommand::run(std::ostream& out, std::ostream& complaints) const {
  const verdict::Imported imported = this->imported(complaints);
  report(complaints, imported.complaints);
  if (lacks_collective(imported.reference)) {
    complaints << results::name_of_input(log_)
               << ": the log does not say of which collective its figures are: say it with "
                  "--collective all_reduce (or another), or nothing can be compared with them\n";
  }
  verdict::Reference reference = about_;
  reference.nics_per_node = imported.reference.nics_per_node;
  reference.line_rate_gigabits_per_second = imported.reference.line_rate_gigabits_per_second;
  reference.runs = imported.reference.runs;
  reference.source.title = log_ == "-" ? "" : fs::path(log_).filename().string();
  if (reference.name.empty()) reference.name = name_of(output_.path.empty() ? log_ : output_.path);
  output_.write(verdict::json_text(reference), out);
}

}  // namespace railgauge::benchmarks
