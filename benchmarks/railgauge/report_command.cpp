#include <filesystem>

#include "benchmarks/railgauge/commands.hpp"
#include "benchmarks/railgauge/criteria_options.hpp"
#include "benchmarks/railgauge/result_input.hpp"
#include "options/shared.hpp"
#include "report/report.hpp"
#include "results/output_file.hpp"

namespace railgauge::benchmarks {
namespace {

namespace fs = std::filesystem;

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

class ReportCommand final : public Command {
 public:
  ReportCommand()
      : Command(
            {.program = "railgauge report",
             .about = "Render results as HTML, Markdown or JUnit",
             .examples = {{"railgauge report a.json b.json --baseline last-week.json --format md",
                           "Write a comment for a pull request"}}}) {
    table().arguments("results", results_);
    criteria_.add_to(table());
    table().scalar(
        "--format", format_,
        options::choice<std::string>({{"html", "html"}, {"md", "md"}, {"junit", "junit"}}),
        "Output format");
    table().scalar(options::output_file(), output_.path);
    table().flag(options::force(), output_.overwrite);
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  CriteriaOptions criteria_;
  std::vector<std::string> results_;
  std::string format_ = "html";
  results::OutputFile output_;
};

results::ExitCode ReportCommand::run(std::ostream& out, std::ostream& /*remarks*/) const {
  output_.check();
  report::Report report;
  report.criteria = criteria_.criteria();
  std::vector<verdict::Judgement> judgements;
  for (const std::string& file : results_) {
    report.results.push_back(result_of(file, report.criteria));
    if (!output_.path.empty())
      report.results.back().link =
          fs::proximate(fs::absolute(file), fs::absolute(output_.path).parent_path());
    judgements.push_back(report.results.back().judgement);
  }
  output_.write(written(report, format_), out);
  return criteria_.exit_code(judgements);
}

}  // namespace

std::unique_ptr<Command> report_command() {
  return std::make_unique<ReportCommand>();
}

}  // namespace railgauge::benchmarks
