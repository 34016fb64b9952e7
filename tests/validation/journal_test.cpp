#include "validation/journal.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "validation/scratch_folder.hpp"

namespace railgauge::validation {
namespace {

Plan plan_with_limit(const std::string& limit) {
  return {.name = "site", .stages = {{.name = "soak", .kind = Kind::soak, .limit = limit}}};
}

const Launch kLaunch{.ranks = {"mpirun", "-np", "4"}, .hosts = {"mpirun"}, .arguments = {}};

class JournalOfASite : public testing::Test {
 protected:
  std::string refusal(const Plan& plan, const Launch& launch) {
    try {
      static_cast<void>(continued(site_, plan, launch));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }

  ScratchFolder scratch_{};
  Site site_{scratch_.path()};
};

TEST_F(JournalOfASite, WithoutOneItBegins) {
  const Journal journal = continued(site_, plan_with_limit("1m"), kLaunch);
  EXPECT_TRUE(journal.stages.empty());
  EXPECT_EQ(journal.launch, kLaunch);
}

TEST_F(JournalOfASite, ItGoesOnWithWhatItWas) {
  Journal journal = continued(site_, plan_with_limit("1m"), kLaunch);
  journal.stages["soak"] = {
      .progress = Progress::ended, .attempts = 2, .exit_status = 3, .why = "x"};
  write_journal(site_, journal);
  const Journal read = continued(site_, plan_with_limit("1m"), kLaunch);
  EXPECT_EQ(read.stages.at("soak").progress, Progress::ended);
  EXPECT_EQ(read.stages.at("soak").attempts, 2);
  EXPECT_EQ(read.stages.at("soak").exit_status, 3);
  EXPECT_EQ(read.stages.at("soak").why, "x");
}

TEST_F(JournalOfASite, AnotherPlanIsRefusedWithTheDifference) {
  write_journal(site_, {.plan = plan_with_limit("1m"), .launch = kLaunch});
  const std::string said = refusal(plan_with_limit("2m"), kLaunch);
  EXPECT_NE(said.find("/stages/0/limit"), std::string::npos) << said;
}

TEST_F(JournalOfASite, AnotherLaunchIsRefused) {
  write_journal(site_, {.plan = plan_with_limit("1m"), .launch = kLaunch});
  Launch other = kLaunch;
  other.ranks = {"mpirun", "-np", "8"};
  const std::string said = refusal(plan_with_limit("1m"), other);
  EXPECT_NE(said.find("--launch 'mpirun -np 4'"), std::string::npos) << said;
}

TEST_F(JournalOfASite, OneThatCannotBeReadIsRefusedAndKept) {
  scratch_.write("journal.json", "{");
  EXPECT_THROW(static_cast<void>(continued(site_, plan_with_limit("1m"), kLaunch)),
               std::runtime_error);
  EXPECT_EQ(scratch_.read("journal.json"), "{");
}

TEST_F(JournalOfASite, AFileIsReplacedAsAWhole) {
  scratch_.write("file", "before");
  replace_file(scratch_.path() / "file", "after");
  EXPECT_EQ(scratch_.read("file"), "after");
  EXPECT_THROW(replace_file(scratch_.path() / "none" / "file", "x"), std::system_error);
}

TEST_F(JournalOfASite, AFullDiskIsSaidAndTheOldFileKept) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  scratch_.write("file", "before");
  std::filesystem::create_symlink("/dev/full", scratch_.path() / ".file.new");
  EXPECT_THROW(replace_file(scratch_.path() / "file", "after"), std::system_error);
  EXPECT_EQ(scratch_.read("file"), "before");
}

}  // namespace
}  // namespace railgauge::validation
