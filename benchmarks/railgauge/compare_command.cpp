#include <algorithm>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "benchmarks/railgauge/criteria_options.hpp"
#include "benchmarks/railgauge/result_input.hpp"
#include "options/shared.hpp"
#include "verdict/judgement.hpp"

namespace railgauge::benchmarks {

namespace {

class CompareCommand final : public Command {
 public:
  CompareCommand()
      : Command(
            {.program = "railgauge compare",
             .about = "Compare results with a reference, line rate, a baseline or a policy",
             .examples = {{"railgauge compare result.json --reference oci-mi300x-8x400g-roce",
                           "Compare with a published system, by share of line rate"},
                          {"railgauge compare today.json --baseline last-week.json --tolerance 3%",
                           "Compare with an earlier run on the same hosts"}}}) {
    table().arguments("results", results_);
    criteria_.add_to(table());
    table().flag(options::json(""), json_);
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  CriteriaOptions criteria_;
  std::vector<std::string> results_;
  bool json_ = false;
};

results::ExitCode CompareCommand::run(std::ostream& out, std::ostream& /*remarks*/) const {
  const verdict::Criteria asked = criteria_.criteria();
  std::vector<verdict::Judgement> judgements;
  for (const std::string& file : results_) {
    const verdict::RunSet run_set = run_set_of(read_result(file).input, file);
    if (!criteria_.any() && (!run_set.runs.empty() || run_set.hosts)) {
      throw std::invalid_argument(
          "nothing to compare with: give --reference, --line-rate, --baseline or --policy");
    }
    judgements.push_back(verdict::compared(run_set, asked));
  }
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
