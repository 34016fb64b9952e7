#include "benchmarks/railgauge/report_command.hpp"

#include "benchmarks/railgauge/result_input.hpp"
#include "report/report.hpp"

namespace railgauge::benchmarks {
namespace {

report::Result result_of(const std::string& file, const verdict::Criteria& criteria) {
  ResultInput read = read_result(file, true);
  report::Result result;
  result.input = std::move(read.input);
  result.samples = std::move(read.samples);
  result.run_set = verdict::run_set_of(result.input, file);
  result.judgement = verdict::compared(result.run_set, criteria);
  return result;
}

std::string written(const report::Report& report, const std::string& format) {
  if (format == "md") return report::markdown(report);
  if (format == "junit") return report::junit(report);
  return report::page(report);
}

}  // namespace

ReportCommand::ReportCommand(CLI::App& app)
    : command_(app.add_subcommand("report", "Results as a page, a comment or a test report")),
      criteria_(*command_) {
  command_->add_option("results", results_, "Result documents, or references of `import`")
      ->required();
  command_->add_option("--format", format_, "html, md or junit")
      ->check(CLI::IsMember({"html", "md", "junit"}))
      ->capture_default_str();
  command_->add_option("-o,--output", output_.path, "File to write (default: stdout)");
  command_->add_flag("--force", output_.overwrite, "Replace the file if it exists");
}

results::ExitCode ReportCommand::run(std::ostream& out) const {
  output_.check();
  report::Report report;
  report.asked = criteria_.any();
  report.criteria = criteria_.criteria();
  for (const std::string& file : results_) {
    report.results.push_back(result_of(file, report.criteria));
    report.asked = report.asked || report.results.back().run_set.judges_itself();
    report.verdict = worse(report.verdict, verdict_of(report.results.back().judgement.findings));
  }
  output_.write(written(report, format_), out);
  return criteria_.passes(report.verdict) ? results::ExitCode::ok
                                          : results::ExitCode::verdict_failed;
}

}  // namespace railgauge::benchmarks
