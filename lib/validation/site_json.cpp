#include <nlohmann/json.hpp>

#include "results/codec.hpp"
#include "validation/site_report.hpp"

namespace railgauge::validation {
namespace {

using json::Json;

Json nullable(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json json_of(const StageReport& one) {
  const Assessment& assessment = one.assessment;
  return {{"name", one.stage.name},
          {"kind", word(one.stage.kind)},
          {"required", requirement_of(one.stage)},
          {"standing", word(assessment.standing)},
          {"outcome", word(assessment.outcome)},
          {"software", assessment.software},
          {"measured", assessment.measured},
          {"headline", assessment.headline},
          {"why", assessment.why},
          {"document", nullable(one.document)},
          {"attempts", one.state.attempts},
          {"status", one.state.exit_status},
          {"started", json::encode(one.state.started)},
          {"ended", json::encode(one.state.ended)}};
}

Json json_of(const CauseGroup& group) {
  Json symptoms = Json::array();
  for (const StageFinding& one : group.symptoms)
    symptoms.push_back({{"stage", one.stage}, {"finding", json::encode(one.finding)}});
  return {{"text", sentence_of(group)},
          {"located", group.located},
          {"stages", group.stages},
          {"finding", json::encode(group.cause)},
          {"symptoms", symptoms}};
}

Json json_of(const WaiverUse& use) {
  Json accepts = Json::array();
  for (const StageFinding& one : use.accepts)
    accepts.push_back({{"stage", one.stage}, {"finding", id_of(one.finding)}});
  return {{"finding", use.waiver.finding},
          {"reason", use.waiver.reason},
          {"until", use.waiver.until},
          {"expired", use.expired},
          {"accepts", accepts}};
}

template <class All>
Json list_of(const All& all) {
  Json list = Json::array();
  for (const auto& one : all) list.push_back(json_of(one));
  return list;
}

}  // namespace

std::string json_text(const SiteReport& report) {
  Json not_planned = Json::array();
  for (const Kind kind : report.not_planned) not_planned.push_back(word(kind));
  const Json document{{"schema", "railgauge/validation/1"}, {"plan", report.plan},
                      {"description", report.description},  {"outcome", word(report.outcome)},
                      {"software", report.software},        {"headline", headline_of(report)},
                      {"stages", list_of(report.stages)},   {"not_planned", not_planned},
                      {"causes", list_of(report.causes)},   {"gaps", gaps_of(report)},
                      {"waivers", list_of(report.waivers)}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::validation
