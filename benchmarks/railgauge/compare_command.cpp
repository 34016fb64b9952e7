#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "benchmarks/railgauge/criteria_options.hpp"
#include "benchmarks/railgauge/result_input.hpp"
#include "options/shared.hpp"
#include "validation/site_comparison.hpp"
#include "verdict/judgement.hpp"

namespace railgauge::benchmarks {

namespace {

class CompareCommand final : public Command {
 public:
  CompareCommand()
      : Command(
            {.program = "railgauge compare",
             .about = "Compare results with a reference, line rate, a baseline, a policy or a "
                      "prediction",
             .examples = {{"railgauge compare result.json --reference oci-mi300x-8x400g-roce",
                           "Compare with a published system, by share of line rate"},
                          {"railgauge compare today.json --baseline last-week.json --tolerance 3%",
                           "Compare with an earlier run on the same hosts"},
                          {"railgauge compare site-before site-after",
                           "Compare two validations: causes that are new or repaired, and "
                           "figures stage by stage"}}}) {
    table().arguments("results", results_);
    criteria_.add_to(table());
    table().flag(options::json(""), json_);
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  [[nodiscard]] std::vector<verdict::Judgement> judgements() const;
  [[nodiscard]] std::vector<verdict::Judgement> judgements_of_sites() const;

  CriteriaOptions criteria_;
  std::vector<std::string> results_;
  bool json_ = false;
};

/// Of two folders of railgauge validate.
std::vector<verdict::Judgement> CompareCommand::judgements_of_sites() const {
  if (results_.size() != 2 || !std::ranges::all_of(results_, validation::is_site))
    throw std::invalid_argument(
        "expected two folders of railgauge validate, the earlier one first, each with a "
        "report.json");
  if (criteria_.any())
    throw std::invalid_argument(
        "two validations are compared with each other: leave out --reference, --line-rate, "
        "--baseline, --policy and --prediction");
  return validation::compared_sites(results_[0], results_[1], criteria_.criteria().terms);
}

std::vector<verdict::Judgement> CompareCommand::judgements() const {
  const verdict::Criteria asked = criteria_.criteria();
  std::vector<verdict::Judgement> judgements;
  for (const std::string& file : results_) {
    const verdict::RunSet run_set = run_set_of(read_result(file).input, file);
    if (!criteria_.any() && (!run_set.runs.empty() || run_set.hosts)) {
      throw std::invalid_argument(
          "nothing to compare with: give --reference, --line-rate, --baseline, --policy or "
          "--prediction");
    }
    judgements.push_back(verdict::compared(run_set, asked));
  }
  return judgements;
}

results::ExitCode CompareCommand::run(std::ostream& out, std::ostream& /*remarks*/) const {
  const bool folders = std::ranges::any_of(
      results_, [](const std::string& one) { return std::filesystem::is_directory(one); });
  const std::vector<verdict::Judgement> judgements =
      folders ? judgements_of_sites() : this->judgements();
  if (json_) {
    out << verdict::json_text(judgements);
  } else {
    const bool software = std::ranges::any_of(judgements, &verdict::Judgement::software);
    if (judgements.size() > 1)
      out << verdict::outcome_words(outcome_of(judgements), software) << "  all results\n";
    verdict::write_table(out, judgements);
  }
  return criteria_.exit_code(judgements);
}

}  // namespace

std::unique_ptr<Command> compare_command() {
  return std::make_unique<CompareCommand>();
}

}  // namespace railgauge::benchmarks
