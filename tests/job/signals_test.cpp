#include "job/signals.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "job/process_state.hpp"

namespace railgauge::job {
namespace {

namespace fs = std::filesystem;

constexpr int kSender = 43;
constexpr int kAbove = 11;

/// A /proc with the sender of a signal and its parent.
class EnderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "railgauge_proc_XXXXXX";
    proc_ = ::mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(proc_); }

  void add(int pid, const std::string& name, int parent) const {
    const fs::path folder = proc_ / std::to_string(pid);
    fs::create_directory(folder);
    std::ofstream(folder / "comm") << name << "\n";
    std::ofstream(folder / "status")
        << "Name:\t" << name << "\nTgid:\t" << pid << "\nPPid:\t" << parent << "\nTracerPid:\t0\n";
  }
  [[nodiscard]] Ender of(int signal) const { return ender_of(signal, kSender, proc_); }

  fs::path proc_;
};

TEST_F(EnderTest, WithoutASignalNobodyEndsTheJob) {
  EXPECT_EQ(of(0), Ender::nobody);
}

TEST_F(EnderTest, OurLauncherThatWasNotToldShowsThatARankDied) {
  add(kSender, "mpirun", kAbove);
  add(kAbove, "railgauge-mpi", 1);
  EXPECT_EQ(of(SIGTERM), Ender::launcher);
}

TEST_F(EnderTest, OurLauncherThatWasToldIsTheUser) {
  add(kSender, "mpirun", kAbove);
  add(kAbove, "railgauge-told", 1);
  EXPECT_EQ(of(SIGTERM), Ender::user);
}

TEST_F(EnderTest, OfOtherLaunchersNobodyKnowsWhetherTheyWereTold) {
  for (const char* const name : {"mpirun", "orted", "prted", "prterun", "slurmstepd"}) {
    add(kSender, name, kAbove);
    add(kAbove, "bash", 1);
    EXPECT_EQ(of(SIGTERM), Ender::either) << name;
  }
}

TEST_F(EnderTest, ASignalOfSomebodyElseIsTheUser) {
  add(kSender, "bash", kAbove);
  add(kAbove, "railgauge-mpi", 1);
  EXPECT_EQ(of(SIGTERM), Ender::user);
}

TEST_F(EnderTest, MpirunEndsRanksBySigtermAlone) {
  add(kSender, "mpirun", kAbove);
  EXPECT_EQ(of(SIGINT), Ender::user);
  EXPECT_EQ(of(SIGHUP), Ender::user);
}

TEST_F(EnderTest, ASenderThatIsNotThereIsTheUser) {
  EXPECT_EQ(of(SIGTERM), Ender::user);
}

TEST(Process, HasANameAndAParent) {
  EXPECT_FALSE(name_of_process(getpid()).empty());
  EXPECT_EQ(parent_of_process(getpid()), getppid());
  EXPECT_EQ(name_of_process(1 << 23), "");
  EXPECT_EQ(parent_of_process(1 << 23), 0);
}

}  // namespace
}  // namespace railgauge::job
