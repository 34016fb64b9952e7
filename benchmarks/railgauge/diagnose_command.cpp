#include "benchmarks/railgauge/diagnose_command.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "diagnosis/diagnosis.hpp"
#include "results/codec.hpp"
#include "results/document.hpp"
#include "verdict/library.hpp"

namespace railgauge::benchmarks {
namespace {

std::vector<results::Finding> findings_of(const std::string& file) {
  const results::Document document = results::read_document(verdict::read_json(file));
  const auto* body = std::get_if<results::CollectiveBody>(&document.body);
  if (body == nullptr) {
    throw std::invalid_argument(file +
                                " is not the result of a collective: there is nothing to "
                                "compare connections by");
  }
  return diagnosis::diagnose(document.ranks, body->rows);
}

}  // namespace

DiagnoseCommand::DiagnoseCommand(CLI::App& app)
    : command_(
          app.add_subcommand("diagnose", "Who is slow or loses packets in a result, and why")) {
  command_->add_option("results", files_, "Result documents of collectives")->required();
  command_->add_flag("--json", json_, "Findings with their evidence as JSON");
}

results::ExitCode DiagnoseCommand::run(std::ostream& out) const {
  bool any = false;
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const std::string& file : files_) {
    const auto findings = findings_of(file);
    any = any || !findings.empty();
    all[file] = results::encode(findings);
    if (json_) continue;
    const std::string prefix = files_.size() > 1 ? file + ": " : "";
    for (const results::Finding& one : findings) out << prefix << one.text << "\n";
    if (findings.empty()) out << prefix << "nothing stands out\n";
  }
  if (json_) out << all.dump(2) << "\n";
  return any ? results::ExitCode::verdict_failed : results::ExitCode::ok;
}

}  // namespace railgauge::benchmarks
