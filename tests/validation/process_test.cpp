#include "validation/process.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "validation/scratch_folder.hpp"

namespace railgauge::validation {
namespace {

using How = Ending::How;
using Words = std::vector<std::string>;

class Process : public testing::Test {
 protected:
  [[nodiscard]] Job shell(const std::string& script) const {
    return {.words = {"/bin/sh", "-c", script},
            .log = scratch_.path() / "log",
            .folder = scratch_.path()};
  }

  ScratchFolder scratch_{};
};

/// Whether it is there, and no zombie.
bool runs(pid_t process) {
  return ::kill(process, 0) == 0;
}

TEST_F(Process, ItsOutputIsInTheLogAndItsStatusIsItsOwn) {
  const Ending ending = run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(ending.how, How::exited);
  EXPECT_EQ(ending.status, 3);
  EXPECT_EQ(scratch_.read("log"), "out\nerr\n");
}

TEST_F(Process, ASuccessNeedsNoReason) {
  const Ending ending = run(shell("true"));
  EXPECT_EQ(ending.status, 0);
  EXPECT_EQ(ending.why, "");
  EXPECT_EQ(ending.leftovers, 0U);
}

TEST_F(Process, ItHasNoInput) {
  EXPECT_EQ(run(shell("read line")).status, 1);
}

TEST_F(Process, AProgramThatIsNotThereIsSaid) {
  Job job = shell("");
  job.words = {"railgauge-no-such-program"};
  const Ending ending = run(job);
  EXPECT_EQ(ending.how, How::not_started);
  EXPECT_EQ(ending.why, "railgauge-no-such-program: No such file or directory");
}

TEST_F(Process, AKillIsSaid) {
  const Ending ending = run(shell("kill -KILL $$"));
  EXPECT_EQ(ending.how, How::killed);
  EXPECT_EQ(ending.status, 137);
  EXPECT_EQ(ending.why, "it was killed by SIGKILL");
}

TEST_F(Process, AtTheLimitTheWholeGroupIsEnded) {
  Job job = shell("sleep 1000 & echo $! > child; wait");
  job.limit = std::chrono::seconds(1);
  const Ending ending = run(job);
  EXPECT_EQ(ending.how, How::timed_out);
  EXPECT_EQ(ending.why, "it was ended at its limit of 1 s");
  EXPECT_FALSE(runs(std::stoi(scratch_.read("child"))));
}

TEST_F(Process, WhoDoesNotEndIsKilled) {
  Job job = shell("trap '' TERM; while :; do sleep 0.1; done");
  job.limit = std::chrono::seconds(1);
  job.grace = std::chrono::seconds(1);
  const Ending ending = run(job);
  EXPECT_EQ(ending.how, How::timed_out);
  EXPECT_EQ(ending.status, 137);
}

TEST_F(Process, AnInterruptIsPassedOn) {
  const Ending ending =
      run(shell("trap 'echo told; exit 0' TERM; kill -INT $PPID; "
                "while :; do sleep 0.1; done"));
  EXPECT_EQ(ending.how, How::interrupted);
  EXPECT_NE(scratch_.read("log").find("told\n"), std::string::npos);
}

TEST_F(Process, WhatOutlivesItsParentIsEnded) {
  const Ending ending = run(shell("sleep 0.5 & echo $! > child"));
  EXPECT_EQ(ending.how, How::exited);
  EXPECT_FALSE(runs(std::stoi(scratch_.read("child"))));
  EXPECT_EQ(ending.leftovers, 0U);  // it ended by itself
}

TEST_F(Process, WhatHasToBeKilledIsCountedOnce) {
  Job job = shell("for i in $(seq 40); do sleep 1000 & done");
  job.grace = std::chrono::seconds(1);
  const Ending ending = run(job);
  EXPECT_EQ(ending.how, How::exited);
  EXPECT_EQ(ending.leftovers, 40U);
}

TEST_F(Process, WordsAreThoseOfAShell) {
  EXPECT_EQ(shell_words("mpirun  -np 4"), (Words{"mpirun", "-np", "4"}));
  EXPECT_EQ(shell_words(R"('a b' "c d"e f\ g '')"), (Words{"a b", "c de", "f g", ""}));
  EXPECT_TRUE(shell_words("  ").empty());
}

TEST_F(Process, WhatAShellWouldDoIsRefused) {
  for (const char* const text : {"'a", "a | b", "$HOME", "a; b", "`a`", "a > b"})
    EXPECT_THROW(static_cast<void>(shell_words(text)), std::invalid_argument) << text;
}

TEST_F(Process, ALineIsReadBackAsItsWords) {
  const Words words{"mpirun", "a b", "it's", "", "--x=1"};
  EXPECT_EQ(shell_line({"a", "b c"}), "a 'b c'");
  EXPECT_EQ(shell_words(shell_line(words)), words);
}

}  // namespace
}  // namespace railgauge::validation
