#include "telemetry/port_condition.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace railgauge::telemetry {
namespace {

namespace fs = std::filesystem;

/// A tree like that of the kernel, removed afterwards.
class PortConditionTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    put("class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n");
    put("class/infiniband/mlx5_0/ports/1/rate", "400 Gb/sec (4X NDR)\n");
  }
  void TearDown() override { fs::remove_all(root_); }

  void put(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  const fs::path root_ =
      fs::path(testing::TempDir()) / ("port_condition." + std::to_string(::getpid()));
};

TEST_F(PortConditionTest, TellsStateAndSpeed) {
  const PortCondition found = read_condition("mlx5_0", 1, root_);
  EXPECT_EQ(found.state, "ACTIVE");
  EXPECT_EQ(found.link_gigabits_per_second, 400);
  EXPECT_FALSE(found.temperature_celsius);
}

TEST_F(PortConditionTest, ASpeedMayHaveAFraction) {
  put("class/infiniband/mlx5_0/ports/1/rate", "2.5 Gb/sec (1X SDR)\n");
  EXPECT_EQ(read_condition("mlx5_0", 1, root_).link_gigabits_per_second, 2.5);
}

TEST_F(PortConditionTest, TellsTheHottestSensorOfAllMonitors) {
  put("class/infiniband/mlx5_0/device/hwmon/hwmon3/temp1_input", "61000\n");
  put("class/infiniband/mlx5_0/device/hwmon/hwmon3/temp1_crit", "105000\n");
  put("class/infiniband/mlx5_0/device/hwmon/hwmon4/temp2_input", "72500\n");
  EXPECT_EQ(read_condition("mlx5_0", 1, root_).temperature_celsius, 72.5);
}

TEST_F(PortConditionTest, ADeviceThatIsGoneHasNoCondition) {
  const PortCondition found = read_condition("mlx5_7", 1, root_);
  EXPECT_EQ(found.state, "");
  EXPECT_FALSE(found.link_gigabits_per_second);
}

TEST_F(PortConditionTest, CountsErrorsOfPcieByTheirTotals) {
  put("class/infiniband/mlx5_0/device/aer_dev_correctable", "RxErr 3\nBadTLP 4\nTOTAL_ERR_COR 7\n");
  put("class/infiniband/mlx5_0/device/aer_dev_fatal", "DLP 0\nTOTAL_ERR_FATAL 0\n");
  const Counters expected{{"aer_correctable", 7}, {"aer_fatal", 0}};
  EXPECT_EQ(read_host_counters("mlx5_0", "", root_), expected);
}

TEST_F(PortConditionTest, CountsHowOftenTheCarrierWasLost) {
  put("class/net/eth0/carrier_down_count", "5\n");
  const Counters expected{{"carrier_down_count", 5}};
  EXPECT_EQ(read_host_counters("mlx5_0", "eth0", root_), expected);
}

}  // namespace
}  // namespace railgauge::telemetry
