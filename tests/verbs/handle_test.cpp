#include "verbs/handle.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace railgauge::verbs {
namespace {

int answer = 0;
int destroyed = 0;
int destroy_fake(ibv_cq* /*queue*/) {
  ++destroyed;
  return answer;
}
using Fake = Handle<ibv_cq, destroy_fake>;

/// What is printed when a queue is destroyed and the destroying verb answers `result`.
std::string printed_for(int result) {
  ibv_cq queue{};
  answer = result;
  testing::internal::CaptureStderr();
  Fake(&queue).reset();
  return testing::internal::GetCapturedStderr();
}

TEST(Handle, DestroysOnceAndSaysNothingWhenThatWorks) {
  destroyed = 0;
  EXPECT_EQ(printed_for(0), "");
  EXPECT_EQ(destroyed, 1);
}

TEST(Handle, FailingDestroyPrintsWhatAndWhyAndGoesOn) {
  EXPECT_EQ(printed_for(EBUSY),
            "verbs: cannot destroy the completion queue: Device or resource busy\n");
}

TEST(Handle, MinusOneMeansErrno) {
  errno = EIO;
  EXPECT_EQ(printed_for(-1), "verbs: cannot destroy the completion queue: Input/output error\n");
}

TEST(Handle, IsNoLargerThanAPointer) {
  static_assert(sizeof(QueuePairHandle) == sizeof(void*));
}

}  // namespace
}  // namespace railgauge::verbs
