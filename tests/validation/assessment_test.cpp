#include "validation/assessment.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "finding/places.hpp"
#include "json/codec.hpp"
#include "tree.hpp"
#include "validation/scratch_folder.hpp"
#include "verdict/library.hpp"

namespace railgauge::validation {
namespace {

using finding::Outcome;

namespace fs = std::filesystem;

results::Rank rank_with(int number, const std::string& host, const std::string& address) {
  results::Rank rank{.rank = number, .host = host};
  rank.rails.push_back({.rail = 1, .device = "soft1", .address = address});
  return rank;
}

finding::Location soft_port(const std::string& address, std::vector<int> ranks) {
  finding::Location where{.scope = finding::Scope::port};
  where.at = {.host = "vm",
              .device = "soft1",
              .port = 1,
              .rail = 1,
              .address = address,
              .ranks = std::move(ranks)};
  return where;
}

TEST(SamePlace, RanksWithDevicesOfTheirOwnAreHosts) {
  const std::vector<results::Rank> ranks{rank_with(0, "vm", "127.65.0.1"),
                                         rank_with(2, "vm", "127.65.0.3")};
  const auto where = same_place(soft_port("127.65.0.3", {}), ranks);
  EXPECT_EQ(where.at.host, "vm rank 2");
  EXPECT_EQ(where.at.address, "");
  EXPECT_EQ(key_of(where), key_of(same_place(soft_port("", {2}), ranks)));
}

TEST(SamePlace, RanksThatShareANicAreTheirHosts) {
  const std::vector<results::Rank> ranks{rank_with(0, "vm", "10.0.0.1"),
                                         rank_with(1, "vm", "10.0.0.1")};
  EXPECT_EQ(same_place(soft_port("10.0.0.1", {1}), ranks).at.host, "vm");
}

class StageAssessment : public testing::Test {
 protected:
  [[nodiscard]] Assessment assess(const StageState& state = {}) const {
    return assessment_of(plan_, 0, site_, state);
  }
  void take(const std::string& example) const {
    fs::copy_file(fs::path(in_tree("results-schema/examples")) / example,
                  site_.of(plan_, 0, ".json"));
  }

  ScratchFolder scratch_{};
  Site site_{scratch_.path()};
  Plan plan_{
      .name = "site",
      .stages = {
          {.name = "ar", .kind = Kind::collective, .collective = "all_reduce", .limit = "1m"}}};
};

TEST_F(StageAssessment, ADocumentThatPassesPasses) {
  take("ok.json");
  const Assessment assessment = assess();
  EXPECT_EQ(assessment.outcome, Outcome::pass) << assessment.headline;
  EXPECT_TRUE(assessment.software);
  EXPECT_NE(assessment.measured.find("all reduce"), std::string::npos);
}

TEST_F(StageAssessment, ADocumentThatFailsFails) {
  take("time-out.json");
  const Assessment assessment = assess({.exit_status = 3, .why = "exit status 3"});
  EXPECT_EQ(assessment.outcome, Outcome::fail);
  EXPECT_FALSE(assessment.report.findings.empty());
}

/// As `railgauge compare` does: sizes that do not count are notes.
TEST_F(StageAssessment, APolicySaysWhichSizesCount) {
  take("ok.json");
  json::Json faster = verdict::read_json(site_.of(plan_, 0, ".json"));
  json::Json& smallest = faster["rows"][0];
  for (const char* place : {"out_of_place", "in_place"}) {
    if (!smallest[place].is_object()) continue;
    for (const char* us : {"min_us", "p50_us"}) {
      smallest[place]["time"][us] = smallest[place]["time"][us].get<double>() / 4;
    }
    for (const char* rate : {"algbw_gigabytes_per_second", "busbw_gigabytes_per_second"}) {
      smallest[place][rate] = smallest[place][rate].get<double>() * 4;
    }
    smallest[place]["median_interval_us"] = nullptr;
  }
  scratch_.write("baseline.json", faster.dump());
  const auto counting_from = [&](std::uint64_t bytes) {
    scratch_.write("policy.json", R"({"schema": "railgauge/policy/1", "name": "large",
        "rules": [{"max_p999_ms": 1e6}], "counts": {"bandwidth": {"from_bytes": )" +
                                      std::to_string(bytes) + "}}}");
    plan_.stages[0].criteria = {.baselines = {scratch_.path() / "baseline.json"},
                                .policies = {scratch_.path() / "policy.json"}};
    return assess();
  };
  const auto smallest_bytes = smallest["size_bytes"].get<std::uint64_t>();
  EXPECT_EQ(counting_from(smallest_bytes).outcome, Outcome::fail);
  const Assessment assessment = counting_from(2 * smallest_bytes);
  EXPECT_EQ(assessment.outcome, Outcome::pass) << assessment.headline;
}

TEST_F(StageAssessment, WithoutADocumentNothingPasses) {
  scratch_.write("01-ar.log", "# a table\nall_reduce_perf: error: no device\n\n");
  const Assessment assessment = assess({.exit_status = 5, .why = "exit status 5"});
  EXPECT_EQ(assessment.outcome, Outcome::inconclusive);
  EXPECT_EQ(assessment.why,
            "it has no document: exit status 5; it says: all_reduce_perf: error: no device");
}

TEST_F(StageAssessment, ADocumentThatCannotBeReadPassesNothing) {
  scratch_.write("01-ar.json", "{\"schema\": ");
  EXPECT_EQ(assess().outcome, Outcome::inconclusive);
  EXPECT_NE(assess().why.find("01-ar.json"), std::string::npos);
}

TEST_F(StageAssessment, AProgramThatCrashedAfterItsDocumentDoesNotPass) {
  take("ok.json");
  const Assessment assessment = assess({.exit_status = 139, .why = "exit status 139"});
  EXPECT_EQ(assessment.outcome, Outcome::inconclusive);
  EXPECT_EQ(assessment.report.coverage.back().skipped.front(), "exit status 139");
}

TEST_F(StageAssessment, HostsThatAreNotFitFail) {
  plan_.stages[0] = {.name = "ar", .kind = Kind::doctor, .limit = "1m"};
  take("doctor.json");
  const Assessment assessment = assess({.exit_status = 1});
  EXPECT_EQ(assessment.outcome, Outcome::fail);
  EXPECT_NE(assessment.measured.find("host"), std::string::npos);
  EXPECT_FALSE(assessment.result);
}

TEST_F(StageAssessment, AFindingThatTheSiteAcceptsDoesNotDecide) {
  plan_.stages[0] = {.name = "ar", .kind = Kind::doctor, .limit = "1m"};
  take("doctor.json");
  std::vector<finding::Waiver> accepted;
  for (const finding::Finding& one : assess().report.findings)
    accepted.push_back({.finding = id_of(one), .reason = "known (until 2027-01-01)"});
  const Assessment assessment = assessment_of(plan_, 0, site_, {.exit_status = 1}, accepted);
  EXPECT_NE(assessment.outcome, Outcome::fail) << assessment.headline;
  EXPECT_EQ(assessment.report.findings.at(0).waived, "known (until 2027-01-01)");
}

TEST_F(StageAssessment, ATimeOutCannotBeAccepted) {
  take("time-out.json");
  const StageState state{.exit_status = 3, .why = "exit status 3"};
  EXPECT_EQ(assessment_of(plan_, 0, site_, state, {{.finding = "time-out", .reason = "so it is"}})
                .outcome,
            Outcome::fail);
}

TEST(Suspect, OnlyAnErrorThatIsNotClearedIsOne) {
  Assessment assessment;
  EXPECT_FALSE(is_suspect(assessment));
  finding::Finding slow =
      finding::found("pairs", finding::Cause::bandwidth, finding::port_of("a", 1));
  slow.severity = finding::Severity::warning;
  assessment.report.findings = {slow};
  EXPECT_FALSE(is_suspect(assessment));
  assessment.report.findings[0].severity = finding::Severity::error;
  EXPECT_TRUE(is_suspect(assessment));
  assessment.report.findings[0].certainty = finding::Certainty::cleared;
  EXPECT_FALSE(is_suspect(assessment));
}

}  // namespace
}  // namespace railgauge::validation
