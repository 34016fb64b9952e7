#include <filesystem>
#include <map>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "benchmarks/railgauge/criteria_options.hpp"
#include "benchmarks/railgauge/result_input.hpp"
#include "options/shared.hpp"
#include "report/bmwg.hpp"
#include "report/report.hpp"
#include "results/output_file.hpp"
#include "validation/site_comparison.hpp"

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

const std::map<std::string, report::Draft> kDrafts{{"bmwg-training", report::Draft::training},
                                                   {"bmwg-inference", report::Draft::inference}};

/// A folder of railgauge validate stands for the documents of its stages, where nothing is judged:
/// stages that have none would be missing from a verdict.
std::vector<std::string> files_of(const std::vector<std::string>& results, bool judged) {
  std::vector<std::string> files;
  for (const std::string& one : results) {
    if (!validation::is_site(one)) {
      files.push_back(one);
      continue;
    }
    if (judged)
      throw std::invalid_argument(one +
                                  " is a validation, which has a report.html, report.md and "
                                  "junit.xml of its own: read these, or give --profile");
    for (const fs::path& file : validation::documents_in(one)) files.push_back(file);
  }
  return files;
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
                           "Write a comment for a pull request"},
                          {"railgauge report site --profile bmwg-training",
                           "Write the KPIs of an IETF draft from a validation"}}}) {
    table().arguments("results", results_);
    criteria_.add_to(table());
    table().scalar(
        "--format", format_,
        options::choice<std::string>({{"html", "html"}, {"md", "md"}, {"junit", "junit"}}),
        "Output format");
    table().scalar("--profile", profile_,
                   options::choice<std::string>({{"none", ""},
                                                 {"bmwg-training", "bmwg-training"},
                                                 {"bmwg-inference", "bmwg-inference"}}),
                   "Write the indicators of draft-calabria-bmwg-ai-fabric-training-bench, or of "
                   "inference-bench, as Markdown, without a verdict");
    table().scalar(options::output_file(), output_.path);
    table().flag(options::force(), output_.overwrite);
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  CriteriaOptions criteria_;
  std::vector<std::string> results_;
  std::string format_ = "html";
  std::string profile_;
  results::OutputFile output_;
};

results::ExitCode ReportCommand::run(std::ostream& out, std::ostream& /*remarks*/) const {
  if (!profile_.empty() && format_ == "junit")
    throw std::invalid_argument("--profile writes Markdown: leave out --format junit");
  output_.check();
  report::Report report;
  report.criteria = criteria_.criteria();
  std::vector<verdict::Judgement> judgements;
  for (const std::string& file : files_of(results_, profile_.empty())) {
    report.results.push_back(result_of(file, report.criteria));
    if (!output_.path.empty())
      report.results.back().link =
          fs::proximate(fs::absolute(file), fs::absolute(output_.path).parent_path());
    judgements.push_back(report.results.back().judgement);
  }
  if (!profile_.empty()) {
    output_.write(report::bmwg(report, kDrafts.at(profile_)), out);
    return results::ExitCode::ok;
  }
  output_.write(written(report, format_), out);
  return criteria_.exit_code(judgements);
}

}  // namespace

std::unique_ptr<Command> report_command() {
  return std::make_unique<ReportCommand>();
}

}  // namespace railgauge::benchmarks
