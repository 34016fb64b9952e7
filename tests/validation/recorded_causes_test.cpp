// Causes of validations on launchers/fabric with planted faults: what their stages found, as
// tests/fabric/validate_test recorded it.

#include <gtest/gtest.h>

#include <fstream>

#include "results/codec.hpp"
#include "tree.hpp"
#include "validation/causes.hpp"

namespace railgauge::validation {
namespace {

json::Json recorded() {
  std::ifstream file(in_tree("tests/validation/recorded_causes.json"));
  return json::Json::parse(file);
}

std::vector<StageFinding> findings_in(const json::Json& site) {
  std::vector<StageFinding> findings;
  for (const json::Json& one : site.at("findings")) {
    findings.push_back({.stage = one.at("stage")});
    json::decode(one.at("finding"), findings.back().finding);
  }
  return findings;
}

TEST(RecordedCauses, AreWhatWasPlanted) {
  const json::Json sites = recorded();
  EXPECT_GE(sites.size(), 17U);
  for (const auto& [planted, site] : sites.items()) {
    SCOPED_TRACE(planted);
    std::vector<std::string> ids;
    for (const CauseGroup& group : causes_of(findings_in(site))) ids.push_back(id_of(group.cause));
    EXPECT_EQ(ids, site.at("causes").get<std::vector<std::string>>());
  }
}

}  // namespace
}  // namespace railgauge::validation
