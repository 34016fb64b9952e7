#include "job/process_state.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace railgauge::job {
namespace {

TEST(ProcessState, ThisProcessIsThere) {
  EXPECT_EQ(state_of_process(getpid()), ProcessState::there);
}

TEST(ProcessState, AProcessIsStoppedAndThenEnds) {
  const pid_t child = fork();
  if (child == 0) {
    while (true) pause();
  }
  ASSERT_GT(child, 0);
  kill(child, SIGSTOP);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
  EXPECT_EQ(state_of_process(child), ProcessState::stopped);
  kill(child, SIGKILL);
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(state_of_process(child), ProcessState::ended) << "nobody has fetched its status";
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(state_of_process(child), ProcessState::ended);
}

}  // namespace
}  // namespace railgauge::job
