#include "validation/site_comparison.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "finding/places.hpp"
#include "tree.hpp"
#include "validation/scratch_folder.hpp"
#include "validation/site_report.hpp"

namespace railgauge::validation {
namespace {

namespace fs = std::filesystem;
using finding::Cause;
using finding::Outcome;

const std::vector<std::string> kNothing{};

finding::Finding loss_at(const std::string& host) {
  return finding::found("soak", Cause::packet_loss, finding::port_of(host, 1));
}

class TwoSites : public testing::Test {
 protected:
  TwoSites() {
    fs::create_directory(before_);
    fs::create_directory(after_);
  }

  /// A validation with the stages ar and soak; soak has findings at these hosts.
  static void validated(const fs::path& folder, const std::vector<std::string>& hosts,
                        Standing soak = Standing::assessed, Outcome outcome = Outcome::pass,
                        const std::string& why = "no time") {
    const Journal journal{
        .plan = {.name = "site",
                 .stages = {{.name = "ar", .kind = Kind::collective, .collective = "all_reduce"},
                            {.name = "soak", .kind = Kind::soak}}}};
    Assessment last{.standing = soak, .why = why, .outcome = outcome};
    for (const std::string& host : hosts) last.report.findings.push_back(loss_at(host));
    if (!hosts.empty()) last.outcome = Outcome::fail;
    const Assessment first{.standing = Standing::assessed, .outcome = Outcome::pass};
    const Site site{folder};
    write_report(site_report_of(journal, site, {first, last}), site);
  }

  [[nodiscard]] std::vector<verdict::Judgement> compared() const {
    return compared_sites(before_, after_, {});
  }
  /// The remarks of the first judgement.
  [[nodiscard]] std::string remarks() const {
    std::string all;
    const auto judgements = compared();
    for (const verdict::Row& row : judgements.at(0).parts.at(0).rows) all += remark_of(row) + "\n";
    return all;
  }
  [[nodiscard]] Outcome outcome() const { return outcome_of(compared()); }

  ScratchFolder scratch_{};
  fs::path before_ = scratch_.path() / "before";
  fs::path after_ = scratch_.path() / "after";
};

TEST_F(TwoSites, ThatAreAlikePass) {
  validated(before_, kNothing);
  validated(after_, kNothing);
  EXPECT_EQ(outcome(), Outcome::pass) << remarks();
}

TEST_F(TwoSites, ANewCauseFails) {
  validated(before_, {"a"});
  validated(after_, {"a", "b"});
  EXPECT_EQ(outcome(), Outcome::fail);
  EXPECT_NE(remarks().find("new: b mlx5_1 (rail 1): packet loss"), std::string::npos) << remarks();
  EXPECT_NE(remarks().find("as before: a mlx5_1 (rail 1)"), std::string::npos) << remarks();
}

TEST_F(TwoSites, ARepairedCausePasses) {
  validated(before_, {"a"});
  validated(after_, kNothing);
  EXPECT_EQ(outcome(), Outcome::pass);
  EXPECT_NE(remarks().find("repaired: a mlx5_1 (rail 1)"), std::string::npos) << remarks();
  EXPECT_NE(remarks().find("soak is PASS, was FAIL"), std::string::npos) << remarks();
}

TEST_F(TwoSites, WhatWasNotTestedAgainIsNotRepaired) {
  validated(before_, {"a"});
  validated(after_, kNothing, Standing::skipped);
  EXPECT_EQ(outcome(), Outcome::inconclusive);
  EXPECT_NE(remarks().find("not tested again: a mlx5_1 (rail 1)"), std::string::npos) << remarks();
  EXPECT_EQ(remarks().find("repaired"), std::string::npos) << remarks();
}

/// It has no document, say.
TEST_F(TwoSites, AStageWithoutAnAnswerRepairsNothing) {
  validated(before_, {"a"});
  validated(after_, kNothing, Standing::assessed, Outcome::inconclusive);
  EXPECT_EQ(outcome(), Outcome::inconclusive);
  EXPECT_NE(remarks().find("not tested again: a mlx5_1 (rail 1)"), std::string::npos) << remarks();
}

TEST_F(TwoSites, ThatAreAlikeWithoutAnAnswerDoNotPass) {
  for (const fs::path& folder : {before_, after_})
    validated(folder, kNothing, Standing::assessed, Outcome::inconclusive);
  EXPECT_EQ(outcome(), Outcome::inconclusive);
  EXPECT_NE(remarks().find("soak is INCONCLUSIVE, was INCONCLUSIVE, but no time"),
            std::string::npos)
      << remarks();
}

TEST_F(TwoSites, WhatPassedBeforeIsOpenWithoutAReason) {
  validated(before_, kNothing);
  validated(after_, kNothing, Standing::assessed, Outcome::inconclusive, "");
  EXPECT_EQ(outcome(), Outcome::inconclusive);
}

/// The document of one stage, by the other as its baseline.
TEST_F(TwoSites, StagesAreComparedByTheirDocuments) {
  for (const fs::path& folder : {before_, after_}) {
    fs::copy_file(fs::path(in_tree("results-schema/examples")) / "ok.json", folder / "01-ar.json");
    validated(folder, kNothing);
  }
  const auto judgements = compared();
  ASSERT_EQ(judgements.size(), 2U);
  EXPECT_TRUE(judgements[1].result.ends_with("01-ar.json"));
  EXPECT_EQ(judgements[1].parts.at(0).criterion, "baseline " + (before_ / "01-ar.json").string());
  EXPECT_EQ(outcome(), Outcome::pass);
}

TEST_F(TwoSites, AReportThatCannotBeReadIsNamed) {
  validated(before_, kNothing);
  EXPECT_TRUE(is_site(before_));
  EXPECT_FALSE(is_site(after_));
  scratch_.write("after/report.json", R"({"schema": "railgauge/validation/9"})");
  try {
    static_cast<void>(compared());
    ADD_FAILURE() << "it was read";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("after/report.json"), std::string::npos);
  }
}

}  // namespace
}  // namespace railgauge::validation
