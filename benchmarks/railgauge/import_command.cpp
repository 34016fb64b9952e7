#include "benchmarks/railgauge/import_command.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace railgauge::benchmarks {
namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  if (!file || fs::is_directory(path)) {
    const int reason = fs::is_directory(path) ? EISDIR : errno;
    throw std::runtime_error("cannot read " + path + ": " +
                             std::generic_category().message(reason));
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string formats() {
  std::string names = "auto";
  for (const std::string& name : verdict::log_formats()) names += ", " + name;
  return names;
}

/// Without .json, and without the folder.
std::string name_of(const std::string& path) {
  return fs::path(path).stem();
}

}  // namespace

ImportCommand::ImportCommand(CLI::App& app) {
  command_ = app.add_subcommand("import", "A log of another benchmark as a reference document");
  command_->add_option("log", log_, "Log to read")->required();
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
  option("--name", about_.name, "Name of the reference (default: that of the file)");
  option("--system", about_.system, "The system, in a few words");
  option("--transport", about_.transport, "RoCEv2, InfiniBand, ...");
  option("--source", about_.source.url, "Web address the log is from");
  option("--date", about_.source.date, "When it was measured: 2026-01-31");
}

void ImportCommand::run(std::ostream& out, std::ostream& complaints) const {
  const std::string text = content_of(log_);
  verdict::Imported imported;
  try {
    imported = verdict::import_log(text, format_, stated_);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(log_ + ": " + error.what());
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read " + log_ + ": " + error.what());
  }
  for (const verdict::Complaint& complaint : imported.complaints) {
    complaints << log_ << ":" << complaint.line << ": " << complaint.text << "; left out\n";
  }
  verdict::Reference reference = about_;
  reference.nics_per_node = imported.reference.nics_per_node;
  reference.line_rate_gigabits_per_second = imported.reference.line_rate_gigabits_per_second;
  reference.runs = imported.reference.runs;
  reference.source.title = fs::path(log_).filename();
  if (reference.name.empty()) reference.name = name_of(output_.path.empty() ? log_ : output_.path);
  output_.write(verdict::json_text(reference), out);
}

}  // namespace railgauge::benchmarks
