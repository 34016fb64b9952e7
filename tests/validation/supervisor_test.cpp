#include "validation/supervisor.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "tree.hpp"
#include "validation/commands.hpp"
#include "validation/scratch_folder.hpp"

namespace railgauge::validation {
namespace {

namespace fs = std::filesystem;
using finding::Outcome;

/// Notes what it was to start, and copies a document for -J: passing, or that of the stage's name.
constexpr const char* kLauncher = R"(#!/bin/sh
folder=$(dirname "$0")
shift
while [ $# -gt 0 ]; do
  [ "$1" != -J ] || document=$2
  shift
done
stage=$(basename "$document" .json)
echo "$stage" >> "$folder/calls"
[ ! -e "$folder/hang" ] || sleep 1000
[ ! -e "$folder/killed" ] || kill -KILL $$
[ ! -e "$folder/silent" ] || { echo "prog: error: no space left" ; exit 5; }
example=ok.json
case $stage in *-bad) example=time-out.json ;; esac
cp "$folder/examples/$example" "$document"
case $stage in *-alone) sed -i 's/"host": "host1"/"host": "host0"/' "$document" ;; esac
)";

Stage stage(const std::string& name, std::vector<std::string> needs = {}) {
  return {.name = name,
          .kind = Kind::collective,
          .collective = "all_reduce",
          .limit = "1m",
          .needs = std::move(needs)};
}

class SupervisorOfStages : public testing::Test {
 protected:
  SupervisorOfStages() {
    scratch_.write("launch", kLauncher);
    fs::create_directory_symlink(in_tree("results-schema/examples"), scratch_.path() / "examples");
    // The programs that the launcher does not start have to be installed.
    fs::create_directory(scratch_.path() / "bin");
    scratch_.write("bin/all_reduce_perf", "#!/bin/sh\n");
    fs::permissions(scratch_.path() / "bin/all_reduce_perf", fs::perms::owner_all);
    const char* const before = std::getenv("PATH");
    path_ = before == nullptr ? "" : before;
    ::setenv("PATH", ((scratch_.path() / "bin").string() + ":" + path_).c_str(), 1);
    fs::create_directory(site_.folder);
  }
  ~SupervisorOfStages() override { ::setenv("PATH", path_.c_str(), 1); }

  [[nodiscard]] Journal journal_of(std::vector<Stage> stages) const {
    const std::vector<std::string> launch{"/bin/sh", scratch_.path() / "launch"};
    return continued(site_, {.name = "test", .stages = std::move(stages)},
                     {.ranks = launch, .hosts = launch, .arguments = {}});
  }
  SiteReport run_of(const std::vector<Stage>& stages, const Selection& selection = {}) {
    return run_stages(journal_of(stages), site_, selection, {}, said_).report;
  }
  [[nodiscard]] std::string calls() const { return scratch_.read("calls"); }

  ScratchFolder scratch_{};
  Site site_{scratch_.path() / "site"};
  std::ostringstream said_{};
  std::string path_{};
};

TEST_F(SupervisorOfStages, RunsAllAndNothingTwice) {
  EXPECT_EQ(run_of({stage("one"), stage("two")}).outcome, Outcome::pass) << said_.str();
  EXPECT_EQ(calls(), "01-one\n02-two\n");
  EXPECT_EQ(run_of({stage("one"), stage("two")}).outcome, Outcome::pass);
  EXPECT_EQ(calls(), "01-one\n02-two\n");
}

TEST_F(SupervisorOfStages, WhatWasHalfDoneIsSaidAndRunAgain) {
  Journal journal = journal_of({stage("one"), stage("two")});
  journal.stages["one"] = {.progress = Progress::running, .attempts = 1};
  const SiteReport report = run_stages(journal, site_, {}, {}, said_).report;
  EXPECT_NE(said_.str().find("one: started; it was half done and is run again"), std::string::npos);
  EXPECT_EQ(report.stages[0].state.attempts, 2);
  EXPECT_EQ(report.outcome, Outcome::pass);
}

TEST_F(SupervisorOfStages, WhatWasKilledIsRunAgain) {
  scratch_.write("killed", "");
  const SiteReport report = run_of({stage("one"), stage("two")});
  EXPECT_EQ(report.outcome, Outcome::inconclusive);
  EXPECT_NE(gaps_of(report).at(0).find("SIGKILL; the same command runs it again"),
            std::string::npos)
      << gaps_of(report)[0];
  fs::remove(scratch_.path() / "killed");
  EXPECT_EQ(run_of({stage("one"), stage("two")}).outcome, Outcome::pass) << said_.str();
  EXPECT_EQ(calls(), "01-one\n02-two\n01-one\n02-two\n");
}

TEST_F(SupervisorOfStages, ThePageOfAStageGoesWithItsDocument) {
  const Journal journal = journal_of({stage("one"), stage("two")});
  for (const std::size_t at : {0, 1}) std::ofstream(site_.of(journal.plan, at, ".html")) << "page";
  scratch_.write("silent", "");
  static_cast<void>(run_of({stage("one"), stage("two")}, {.only = {"one"}}));
  EXPECT_FALSE(fs::exists(site_.of(journal.plan, 0, ".html")));
  EXPECT_TRUE(fs::exists(site_.of(journal.plan, 1, ".html"))) << "it was not run again";
}

TEST_F(SupervisorOfStages, AWholeDocumentOfAKilledSupervisorIsTaken) {
  Journal journal = journal_of({stage("one")});
  journal.stages["one"] = {.progress = Progress::running, .attempts = 1};
  fs::copy_file(fs::path(in_tree("results-schema/examples")) / "ok.json",
                site_.of(journal.plan, 0, ".json"));
  EXPECT_EQ(run_stages(journal, site_, {}, {}, said_).report.outcome, Outcome::pass);
  EXPECT_EQ(calls(), "");
}

TEST_F(SupervisorOfStages, AFailureHidesOnlyWhatNeedsIt) {
  const SiteReport report =
      run_of({stage("bad"), stage("two"), stage("three", {"bad"}), stage("four", {"three"})});
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(calls(), "01-bad\n02-two\n");
  EXPECT_EQ(report.stages[2].assessment.why, "it needs bad, which failed");
  EXPECT_EQ(report.stages[3].assessment.why, "it needs three, which was skipped");
}

TEST_F(SupervisorOfStages, ASearchIsRunOnlyIfSomethingIsWrong) {
  Stage search = stage("search");
  search.when = When::suspect;
  EXPECT_EQ(run_of({stage("one"), search}).outcome, Outcome::pass);
  EXPECT_EQ(calls(), "01-one\n");
}

TEST_F(SupervisorOfStages, ASearchIsRunAfterAFailure) {
  Stage search = stage("search");
  search.when = When::suspect;
  static_cast<void>(run_of({stage("bad"), search}));
  EXPECT_EQ(calls(), "01-bad\n02-search\n");
}

TEST_F(SupervisorOfStages, CongestionNeedsANetwork) {
  Stage congestion = stage("congestion");
  congestion.when = When::network;
  const SiteReport report = run_of({stage("alone"), congestion});
  EXPECT_EQ(report.outcome, Outcome::pass) << said_.str();
  EXPECT_EQ(calls(), "01-alone\n");
  EXPECT_EQ(verdict_of(report.stages[1]), "not needed");
}

TEST_F(SupervisorOfStages, TwoHostsHaveANetwork) {
  Stage congestion = stage("congestion");
  congestion.when = When::network;
  static_cast<void>(run_of({stage("two-hosts"), congestion}));
  EXPECT_EQ(calls(), "01-two-hosts\n02-congestion\n");
}

TEST_F(SupervisorOfStages, AStageThatHangsIsEndedAtItsLimit) {
  scratch_.write("hang", "");
  Stage hanging = stage("one");
  hanging.limit = "1s";
  const SiteReport report = run_of({hanging});
  EXPECT_EQ(report.outcome, Outcome::inconclusive);
  EXPECT_NE(report.stages[0].assessment.why.find("its limit of 1s"), std::string::npos)
      << report.stages[0].assessment.why;
}

TEST_F(SupervisorOfStages, AProgramThatCannotWriteItsDocumentPassesNothing) {
  scratch_.write("silent", "");
  const SiteReport report = run_of({stage("one")});
  EXPECT_EQ(report.outcome, Outcome::inconclusive);
  EXPECT_NE(headline_of(report).find("no space left"), std::string::npos) << headline_of(report);
}

TEST_F(SupervisorOfStages, OnlySomeStagesAreRunAndTheOthersLater) {
  const SiteReport report = run_of({stage("one"), stage("two")}, {.only = {"two"}});
  EXPECT_EQ(report.outcome, Outcome::inconclusive);
  EXPECT_EQ(calls(), "02-two\n");
  EXPECT_EQ(run_of({stage("one"), stage("two")}).outcome, Outcome::pass);
  EXPECT_EQ(calls(), "02-two\n01-one\n");
}

TEST_F(SupervisorOfStages, FromAStageOnTheyAreRunAgain) {
  const std::vector<Stage> stages{stage("one"), stage("two"), stage("three")};
  static_cast<void>(run_of(stages));
  static_cast<void>(run_of(stages, {.only = {}, .from = "two"}));
  EXPECT_EQ(calls(), "01-one\n02-two\n03-three\n02-two\n03-three\n");
}

TEST_F(SupervisorOfStages, StagesThatAreNotThereAreRefused) {
  const Plan plan{.name = "test", .stages = {stage("one")}};
  EXPECT_THROW(check_selection(plan, {.only = {"oen"}}), std::invalid_argument);
  EXPECT_THROW(check_selection(plan, {.only = {}, .from = "two"}), std::invalid_argument);
}

TEST_F(SupervisorOfStages, AProgramThatIsNotInstalledIsSkippedAndSaid) {
  if (path_of_program("job_perf")) GTEST_SKIP() << "job_perf is installed";
  const SiteReport report =
      run_of({stage("one"), {.name = "job", .kind = Kind::job, .limit = "1m"}});
  EXPECT_EQ(report.outcome, Outcome::inconclusive);
  EXPECT_EQ(headline_of(report), "job was skipped: job_perf is not installed");
}

TEST_F(SupervisorOfStages, WhatWillRunIsSaidWithItsTime) {
  announce(said_, journal_of({stage("one"), stage("two")}), site_, {.only = {"two"}}, true);
  const std::string text = said_.str();
  EXPECT_NE(text.find("plan test, 2 stages, at most 60 s in all"), std::string::npos) << text;
  EXPECT_NE(text.find("1 one (collectives): left out by --only"), std::string::npos) << text;
  EXPECT_NE(text.find("all_reduce_perf -J "), std::string::npos) << text;
}

TEST_F(SupervisorOfStages, ASoakGoesOnWithItsRecord) {
  const Plan plan{.name = "test", .stages = {{.name = "soak", .kind = Kind::soak, .limit = "1m"}}};
  const Launch launch{
      .ranks = {"mpirun"}, .hosts = {"mpirun"}, .arguments = {"--device", "soft:2"}};
  const auto has = [&](bool goes_on, const std::string& word) {
    const auto words = commands_of(plan, 0, launch, site_, goes_on).at(0);
    return std::ranges::find(words, word) != words.end();
  };
  const std::string record = site_.of(plan, 0, ".jsonl");
  EXPECT_TRUE(has(true, "--record"));
  std::ofstream(record) << "";
  EXPECT_TRUE(has(true, "--record"));
  std::ofstream(record + ".1") << "{\"schema\":\"railgauge/soak/2\",\"line\":\"header\"}\n";
  EXPECT_TRUE(has(true, "--resume")) << "packed just now";
  fs::remove(record);
  EXPECT_TRUE(has(true, "--resume")) << "killed while it was being packed";
  EXPECT_TRUE(has(false, "--record"));
  EXPECT_TRUE(has(false, "soft:2"));
}

}  // namespace
}  // namespace railgauge::validation
