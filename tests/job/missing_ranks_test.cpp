#include "job/missing_ranks.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace railgauge::job {
namespace {

namespace fs = std::filesystem;

/// A /proc with processes, in a folder that goes away with the test.
class Processes : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "railgauge_proc_XXXXXX";
    proc_ = ::mkdtemp(name.data());
    own_ = fs::read_symlink("/proc/self/exe");
    setenv("PMIX_NAMESPACE", "4711.1", 1);
  }
  void TearDown() override {
    unsetenv("PMIX_NAMESPACE");
    fs::remove_all(proc_);
  }

  void has(int pid, const fs::path& program, const std::string& rank, char state = 'S',
           const std::string& job = "4711.1") {
    const fs::path folder = proc_ / std::to_string(pid);
    fs::create_directories(folder);
    fs::create_symlink(program, folder / "exe");
    std::ofstream(folder / "stat") << pid << " (a name) " << state << " 1 1";
    std::ofstream(folder / "environ", std::ios::binary)
        << "HOME=/root" << '\0' << "PMIX_RANK=" << rank << '\0' << "PMIX_NAMESPACE=" << job << '\0';
  }

  fs::path proc_;
  fs::path own_;
};

TEST_F(Processes, ThatRunThisProgramHaveStarted) {
  has(20, own_, "3");
  has(10, own_, "12");
  const auto ranks = local_ranks(proc_);
  ASSERT_EQ(ranks.size(), 2U);
  EXPECT_EQ(ranks[0].rank, 3);
  EXPECT_EQ(ranks[1].rank, 12);
  for (const LocalRank& one : ranks) EXPECT_TRUE(one.started && one.state.empty());
}

TEST_F(Processes, OfWhichAnEarlierOneRuns) {
  setenv("PMIX_RANK", "3", 1);
  has(10, "/usr/bin/sleep", "0");
  has(11, own_, "1", 'T');
  has(12, own_, "2", 'S', "4711.2");
  has(20, own_, "3");
  has(21, own_, "4");
  EXPECT_FALSE(earlier_rank_runs(proc_)) << "another program, one that is stopped, another job";
  has(22, own_, "2");
  EXPECT_TRUE(earlier_rank_runs(proc_));
  unsetenv("PMIX_RANK");
  EXPECT_FALSE(earlier_rank_runs(proc_)) << "nobody knows which is this one";
}

TEST_F(Processes, ThatRunAnotherHaveNot) {
  has(20, "/usr/bin/sleep", "0");
  const auto ranks = local_ranks(proc_);
  ASSERT_EQ(ranks.size(), 1U);
  EXPECT_FALSE(ranks[0].started);
  EXPECT_EQ(ranks[0].state, "its process 20 runs sleep, not " + own_.filename().string());
}

TEST_F(Processes, AroundARankAreItsWrappers) {
  has(20, "/usr/bin/dash", "0");
  has(21, own_, "0");
  has(22, "/usr/bin/gdb", "0");
  has(30, "/usr/bin/dash", "1");
  has(31, "/usr/bin/sleep", "1");
  const auto ranks = local_ranks(proc_);
  ASSERT_EQ(ranks.size(), 2U);
  EXPECT_TRUE(ranks[0].started) << "whichever of them is seen first";
  EXPECT_EQ(ranks[1].pid, 31) << "the innermost";
}

TEST_F(Processes, ThatAreStoppedAreNamed) {
  has(19, "/usr/bin/dash", "0");
  has(20, own_, "0", 'T');
  const auto ranks = local_ranks(proc_);
  ASSERT_EQ(ranks.size(), 1U);
  EXPECT_FALSE(ranks[0].started);
  EXPECT_NE(ranks[0].state.find("its process 20 is stopped"), std::string::npos) << ranks[0].state;
}

TEST_F(Processes, OfOtherJobsAreNoneOfOurs) {
  has(20, own_, "0", 'S', "4711.2");
  has(21, own_, "", 'S');
  has(22, own_, "first", 'S');
  EXPECT_TRUE(local_ranks(proc_).empty());
}

TEST_F(Processes, WithoutALauncherAreNoRanks) {
  has(20, own_, "0");
  unsetenv("PMIX_NAMESPACE");
  EXPECT_TRUE(local_ranks(proc_).empty());
}

/// Whoever is first on the host speaks for it; another rank only while all before it live.
TEST_F(Processes, BeforeOneThatSpeaksAllLive) {
  setenv("PMIX_RANK", "6", 1);
  setenv("OMPI_COMM_WORLD_LOCAL_RANK", "2", 1);
  has(20, own_, "4");
  has(22, own_, "6");
  EXPECT_FALSE(earlier_ranks_live(local_ranks(proc_)));
  has(21, own_, "5");
  EXPECT_TRUE(earlier_ranks_live(local_ranks(proc_)));
  unsetenv("OMPI_COMM_WORLD_LOCAL_RANK");
  EXPECT_FALSE(earlier_ranks_live(local_ranks(proc_))) << "nobody knows which is the first";
  unsetenv("PMIX_RANK");
}

}  // namespace
}  // namespace railgauge::job
