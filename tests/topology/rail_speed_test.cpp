#include "topology/rail_speed.hpp"

#include <gtest/gtest.h>

namespace railgauge::topology {
namespace {

Host host(const std::string& name, const std::vector<double>& speeds) {
  Host made{name, {}};
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    made.rails.push_back({.device = "mlx5_" + std::to_string(i), .gigabits_per_second = speeds[i]});
  }
  return made;
}

TEST(RailSpeed, NamesTheSlowRail) {
  EXPECT_EQ(slow_rails({host("host0", {400, 400}), host("host7", {400, 200})}),
            (std::vector<std::string>{
                "host7 mlx5_1 (rail 1) is slow: its link runs at 200 Gb/s, and not 400 as others; "
                "look at its cable, transceiver and switch port"}));
}

TEST(RailSpeed, DoesNotMindOneThatIsFaster) {
  EXPECT_TRUE(slow_rails({host("host0", {200, 200, 400})}).empty());
}

TEST(RailSpeed, OfTwoGoesByTheFaster) {
  EXPECT_EQ(slow_rails({host("host0", {200, 400})}).size(), 1U);
  EXPECT_EQ(slow_rails({host("host0", {400, 200})}).size(), 1U);
}

TEST(RailSpeed, DoesNotAskWhatIsNotKnown) {
  EXPECT_TRUE(slow_rails({host("host0", {0, 0, 400})}).empty());
  EXPECT_TRUE(slow_rails({host("host0", {0})}).empty());
  EXPECT_TRUE(slow_rails({}).empty());
}

}  // namespace
}  // namespace railgauge::topology
