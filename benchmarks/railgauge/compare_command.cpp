#include "benchmarks/railgauge/compare_command.hpp"

#include <stdexcept>

#include "benchmarks/railgauge/result_input.hpp"
#include "verdict/judgement.hpp"

namespace railgauge::benchmarks {

using verdict::Verdict;

CompareCommand::CompareCommand(CLI::App& app)
    : command_(app.add_subcommand("compare", "Judge results against what they should be")),
      criteria_(*command_) {
  command_->add_option("results", results_, "Result documents, or references of `import`")
      ->required();
  command_->add_flag("--json", json_, "As JSON");
}

results::ExitCode CompareCommand::run(std::ostream& out) const {
  const verdict::Criteria asked = criteria_.criteria();
  std::vector<verdict::Judgement> judgements;
  Verdict verdict = Verdict::pass;
  bool software = false;
  for (const std::string& file : results_) {
    const verdict::Input input = read_result(file).input;
    const verdict::RunSet run_set = run_set_of(input, file);
    if (!criteria_.any() && !run_set.judges_itself()) {
      throw std::invalid_argument(
          "say what to compare with: --reference, --line-rate, --baseline or --policy");
    }
    judgements.push_back(verdict::compared(run_set, asked));
    software = software || judgements.back().software;
    verdict = worse(verdict, verdict_of(judgements.back().findings));
  }
  if (json_) {
    out << verdict::json_text(judgements, verdict);
  } else {
    if (judgements.size() > 1) out << in_words(verdict, software) << "  all results\n";
    verdict::write_table(out, judgements);
  }
  return criteria_.passes(verdict) ? results::ExitCode::ok : results::ExitCode::verdict_failed;
}

}  // namespace railgauge::benchmarks
