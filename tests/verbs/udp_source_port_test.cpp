#include "verbs/udp_source_port.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tree.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::verbs {
namespace {

namespace fs = std::filesystem;

TEST(SourcePortCall, IsFoundAtRunTimeAndTellsTheDevice) {
  const SourcePortCall call(in_build("tests/verbs/libmlx5_stub.so"));
  ASSERT_TRUE(call.found());
  ibv_qp pair{};
  EXPECT_EQ(call(pair, 51234), 0);
  EXPECT_EQ(pair.events_completed, 51234U);
}

TEST(SourcePortCall, HasTheDevicesAnswer) {
  const SourcePortCall call(in_build("tests/verbs/libmlx5_stub.so"));
  ibv_qp pair{};
  pair.handle = EOPNOTSUPP;
  EXPECT_EQ(call(pair, 51234), EOPNOTSUPP);
}

TEST(SourcePortCall, NeedNotBeThere) {
  const SourcePortCall call("libno-such-driver.so.1");
  EXPECT_FALSE(call.found());
  ibv_qp pair{};
  EXPECT_EQ(call(pair, 51234), EOPNOTSUPP);
  EXPECT_EQ(pair.events_completed, 0U);
}

/// An older one: a library that there is everywhere, without the call.
TEST(SourcePortCall, OfALibraryWithoutItIsNotFound) {
  EXPECT_FALSE(SourcePortCall("libibverbs.so.1").found());
}

/// A device whose driver is called so.
class SourcePortOfADevice : public ::testing::Test {
 protected:
  ~SourcePortOfADevice() override { fs::remove_all(folder_); }

  ibv_device& device_of(const char* driver) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "device");
    fs::create_symlink(fs::path("/sys/bus/pci/drivers") / driver, folder_ / "device/driver");
    std::strncpy(device_.ibdev_path, folder_.c_str(), sizeof(device_.ibdev_path) - 1);
    return device_;
  }

  fs::path folder_ =
      fs::path(::testing::TempDir()) / ("udp_source_port_test." + std::to_string(::getpid()));
  ibv_device device_{};
};

/// Of others it would look where there is nothing of the kind.
TEST_F(SourcePortOfADevice, IsOfMlx5ByItsDriver) {
  EXPECT_TRUE(is_mlx5(device_of("mlx5_core")));
  EXPECT_TRUE(is_mlx5(device_of("mlx5_core.sf")));
  EXPECT_FALSE(is_mlx5(device_of("mlx4_core")));
  EXPECT_FALSE(is_mlx5(device_of("bnxt_en")));
  EXPECT_FALSE(is_mlx5(ibv_device{}));
}

TEST_F(SourcePortOfADevice, OfAnotherDriverFollowsFromTheFlowLabel) {
  ibv_context context{};
  context.device = &device_of("bnxt_en");
  ibv_qp pair{};
  pair.context = &context;
  EXPECT_EQ(set_source_port(pair, 77), SourcePort::assumed);
  EXPECT_EQ(set_source_port(pair, 0), SourcePort::by_driver);
}

}  // namespace
}  // namespace railgauge::verbs
