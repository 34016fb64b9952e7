#include "verbs/device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

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

TEST(NaturalLess, DigitsCompareAsNumbers) {
  std::vector<std::string> names{"mlx5_10", "mlx5_2", "rxe1", "mlx5_0", "mlx5_bond_0", "rxe0"};
  std::sort(names.begin(), names.end(), natural_less);
  EXPECT_EQ(names, (std::vector<std::string>{"mlx5_0", "mlx5_2", "mlx5_10", "mlx5_bond_0", "rxe0",
                                             "rxe1"}));
}

TEST(NaturalLess, IsAStrictOrder) {
  EXPECT_FALSE(natural_less("a1", "a1"));
  EXPECT_TRUE(natural_less("a", "a1"));
  EXPECT_FALSE(natural_less("a1", "a"));
  EXPECT_TRUE(natural_less("", "a"));
  EXPECT_NE(natural_less("a01", "a1"), natural_less("a1", "a01"));
  EXPECT_TRUE(natural_less("a99999999999999999999", "a100000000000000000000"));
}

TEST(SearchDevices, TellsWhatWasLookedAtWhateverThereIs) {
  const DeviceSearch search = search_devices();
  EXPECT_NE(search.looked_at.find("libibverbs lists"), std::string::npos) << search.looked_at;
  EXPECT_NE(search.looked_at.find("/sys/class/infiniband"), std::string::npos);
}

TEST(OpenDevice, MissingDeviceIsNamed) {
  try {
    open_device("no_such_device");
    FAIL();
  } catch (const std::system_error& error) {
    // ENODEV, or what the kernel says when it has no RDMA at all.
    EXPECT_NE(std::string(error.what()).find("no_such_device"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace railgauge::verbs
