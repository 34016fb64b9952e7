#include "verdict/judgement_json.hpp"

#include <nlohmann/json.hpp>

#include "results/fields.hpp"

namespace railgauge::verdict {
namespace {

Json json_of(const Finding& finding) {
  const bool placed = finding.placement != BufferMode::unstated;
  return {{"criterion", finding.criterion},
          {"about", word(finding.subject)},
          {"setting", or_null(finding.setting)},
          {"collective", or_null(finding.collective)},
          {"type", or_null(finding.type)},
          {"op", or_null(finding.op)},
          {"algorithm", or_null(finding.algorithm)},
          {"placement", placed ? Json(word(finding.placement)) : Json(nullptr)},
          {"ranks", or_null(finding.ranks)},
          {"nics_per_node", or_null(finding.nics_per_node)},
          {"size_bytes", or_null(finding.size_bytes)},
          {"unit", or_null(std::string(finding.unit))},
          {"ours", or_null(finding.ours)},
          {"theirs", or_null(finding.theirs)},
          {"ratio", or_null(finding.ratio)},
          {"ours_line_rate_fraction", or_null(finding.ours_line_rate_fraction)},
          {"theirs_line_rate_fraction", or_null(finding.theirs_line_rate_fraction)},
          {"verdict", word(finding.verdict)},
          {"remark", or_null(finding.remark)}};
}

Json json_of(const Judgement& judgement) {
  Json criteria = Json::array();
  for (const std::string& criterion : criteria_of(judgement.findings)) {
    criteria.push_back(
        {{"criterion", criterion}, {"verdict", word(verdict_of(judgement.findings, criterion))}});
  }
  Json findings = Json::array();
  for (const Finding& finding : judgement.findings) findings.push_back(json_of(finding));
  return {{"result", judgement.result}, {"criteria", criteria}, {"findings", findings}};
}

}  // namespace

std::string json_text(const std::vector<Judgement>& judgements, Verdict verdict) {
  Json results = Json::array();
  for (const Judgement& judgement : judgements) results.push_back(json_of(judgement));
  const Json document{
      {"schema", "railgauge/comparison/1"}, {"verdict", word(verdict)}, {"results", results}};
  constexpr int kIndent = 2;
  return document.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::verdict
