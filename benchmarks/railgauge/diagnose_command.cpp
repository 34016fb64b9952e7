#include <nlohmann/json.hpp>

#include "benchmarks/railgauge/commands.hpp"
#include "diagnosis/diagnosis.hpp"
#include "finding/outcome.hpp"
#include "finding/ranking.hpp"
#include "options/shared.hpp"
#include "results/codec.hpp"
#include "results/document.hpp"
#include "verdict/library.hpp"

namespace railgauge::benchmarks {
namespace {

/// What the document says; of an unfinished collective, which says nothing yet, what its rows do.
finding::Report report_of(const std::string& file) {
  results::Document document = results::read_document(verdict::read_json(file));
  const auto* body = std::get_if<results::CollectiveBody>(&document.body);
  if (body != nullptr && !document.exit_code)
    document.report.findings = diagnosis::diagnose(document.ranks, body->rows);
  return std::move(document.report);
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
    const finding::Report report = report_of(file);
    const finding::Outcome found = outcome(report);
    passes = passes && found == finding::Outcome::pass;
    all[file] = results::encode(report.findings);
    if (json_) continue;
    const std::string prefix = files_.size() > 1 ? file + ": " : "";
    const std::string why = in_short(report);
    out << prefix << word(found) << (why.empty() ? "" : ": " + why) << "\n";
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
