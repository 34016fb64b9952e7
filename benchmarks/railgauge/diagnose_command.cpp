#include <nlohmann/json.hpp>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "diagnosis/diagnosis.hpp"
#include "finding/outcome.hpp"
#include "finding/ranking.hpp"
#include "options/shared.hpp"
#include "results/codec.hpp"
#include "results/document.hpp"
#include "verdict/judgement.hpp"
#include "verdict/library.hpp"
#include "verdict/run_set.hpp"

namespace railgauge::benchmarks {
namespace {

/// What the result says, as compare and report judge it; of an unfinished collective, which names
/// no place yet, also what its rows do.
verdict::RunSet run_set_of(const std::string& file) {
  verdict::Input input = verdict::input_of(verdict::read_json(file), file);
  auto* const document = std::get_if<results::Document>(&input);
  if (document == nullptr)
    throw std::runtime_error(file + ": expected railgauge/result/3, which says where it is slow");
  const auto* body = std::get_if<results::CollectiveBody>(&document->body);
  if (body != nullptr && !document->exit_code)
    document->report.findings = diagnosis::diagnose(document->ranks, body->rows);
  return verdict::run_set_of(input, file);
}

class DiagnoseCommand final : public Command {
 public:
  DiagnoseCommand()
      : Command({.program = "railgauge diagnose",
                 .about = "Find slow or lossy ports, paths and hosts in a result"}) {
    table().arguments("results", files_);
    table().flag(options::json("").with("With the evidence of each finding"), json_);
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  std::vector<std::string> files_;
  bool json_ = false;
};

results::ExitCode DiagnoseCommand::run(std::ostream& out, std::ostream& /*remarks*/) const {
  bool passes = true;
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const std::string& file : files_) {
    const verdict::RunSet run_set = run_set_of(file);
    const finding::Report report = run_set.report.value_or(finding::Report{});
    const finding::Outcome found = outcome(report);
    passes = passes && found == finding::Outcome::pass;
    all[file] = results::encode(report.findings);
    if (json_) continue;
    const std::string prefix = files_.size() > 1 ? file + ": " : "";
    const std::string why = in_short(report);
    out << prefix << verdict::outcome_words(found, run_set.software)
        << (why.empty() ? "" : ": " + why) << "\n";
    for (const finding::FindingGroup& group : grouped(finding::ranked(report.findings)))
      out << prefix << word(group.first.severity) << ": " << sentence(group) << "\n";
  }
  if (json_) out << all.dump(2) << "\n";
  return passes ? results::ExitCode::ok : results::ExitCode::verdict_failed;
}

}  // namespace

std::unique_ptr<Command> diagnose_command() {
  return std::make_unique<DiagnoseCommand>();
}

}  // namespace railgauge::benchmarks
