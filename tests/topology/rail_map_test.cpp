#include "topology/rail_map.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

namespace railgauge::topology {
namespace {

std::string complaint(const std::string& text) {
  try {
    parse_rail_map(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(RailMap, IsReadFromTextOrFile) {
  const RailMap map{{"mlx5_0", {}, 1}, {"mlx5_2", {}, 0}};
  EXPECT_EQ(load_rail_map("mlx5_0=1,mlx5_2=0"), map);
  const std::string file = ::testing::TempDir() + "/rails";
  std::ofstream(file) << "# board 7\nmlx5_0=1  # left\n\nmlx5_2:1=0\n";
  EXPECT_EQ(load_rail_map(file), (RailMap{{"mlx5_2", 1, 0}, {"mlx5_0", {}, 1}}));
  EXPECT_THROW(load_rail_map("/no/such/file"), std::invalid_argument);
}

TEST(RailMap, NamesPorts) {
  const RailMap map = parse_rail_map("mlx4_0:2=0,mlx4_0=1");
  EXPECT_EQ(mapped_place(map, "mlx4_0", 2)->rail, 0);
  EXPECT_EQ(mapped_place(map, "mlx4_0", 1)->rail, 1);
  EXPECT_EQ(mapped_place(map, "mlx4_1", 1), std::nullopt);
}

TEST(RailMap, SaysWhatIsWrong) {
  EXPECT_EQ(complaint(""), "the rail map is empty");
  EXPECT_EQ(complaint("a=0,b=2"), "the rail map has nothing on rail 1");
  EXPECT_EQ(complaint("a=0,b=0"),
            "the rail map has two ports on rail 0; planes of one rail are written a=0:0,b=0:1");
  EXPECT_EQ(complaint("a=0:1,b=0:1"),
            "the rail map has two ports on rail 0 plane 1; planes of one rail are written "
            "a=0:0,b=0:1");
  EXPECT_EQ(complaint("a=0,a=1"), "the rail map has a twice");
  EXPECT_NE(complaint("=a:1,b:1").find("is not a rail map entry"), std::string::npos);
  EXPECT_EQ(complaint("=a:1:0,b:1"), "'=a:1:0,b:1' says the rails of some ports only");
  for (const char* text : {"a", "=0", "a=", "a=-1", "a=x", "a=0x", "a=0:", "a=0:x", "a:1:0=1"}) {
    EXPECT_NE(complaint(text).find("is not a rail map entry"), std::string::npos) << text;
  }
}

TEST(RailMap, SaysPlanes) {
  const RailMap map = parse_rail_map("a=0:0,b:2=0:1,c=1");
  EXPECT_EQ(mapped_place(map, "a", 1), (RailPlane{0, 0}));
  EXPECT_EQ(mapped_place(map, "b", 2), (RailPlane{0, 1}));
  EXPECT_EQ(mapped_place(map, "b", 1), std::nullopt);
  EXPECT_EQ(mapped_place(map, "c", 1), (RailPlane{1, -1}));
}

TEST(RailMap, MayBeInTheWordsOfNccl) {
  const RailMap map = parse_rail_map("=mlx5_0:1:0:0,mlx5_1::0:1");
  EXPECT_EQ(mapped_place(map, "mlx5_0", 1), (RailPlane{0, 0}));
  EXPECT_EQ(mapped_place(map, "mlx5_0", 2), std::nullopt);
  EXPECT_EQ(mapped_place(map, "mlx5_1", 2), (RailPlane{0, 1}));
  EXPECT_EQ(mapped_place(map, "mlx5_10", 1), std::nullopt);
  EXPECT_EQ(mapped_place(load_rail_map("mlx5_1:1:0"), "mlx5_10", 1), (RailPlane{0, -1}));
  const std::string file = ::testing::TempDir() + "/nccl_rails";
  std::ofstream(file) << "# of node 7\n=mlx5_0:1:0:0,\nmlx5_1::0:1\n";
  EXPECT_EQ(load_rail_map(file), map);
}

TEST(RailMap, IsWhatAPatternSays) {
  EXPECT_EQ(rail_map_of(PortPattern("mlx5_0:1")), RailMap{});
  EXPECT_EQ(rail_map_of(PortPattern("=a::0")), (RailMap{{"a", {}, 0}}));
  EXPECT_THROW(rail_map_of(PortPattern("a::1")), std::invalid_argument);
}

TEST(RailMap, OfNamedDevicesHasOneRailEachOrWhatTheySay) {
  EXPECT_EQ(rail_map_of_devices({"b", "a:2"}), (RailMap{{"b", {}, 0}, {"a", 2, 1}}));
  EXPECT_EQ(rail_map_of_devices({"=b::0:0", "a::0:1"}),
            (RailMap{{"b", {}, 0, 0}, {"a", {}, 0, 1}}));
  EXPECT_THROW(rail_map_of_devices({"b", "a::0:1"}), std::invalid_argument);
  EXPECT_THROW(rail_map_of_devices({"b", "b"}), std::invalid_argument);
  EXPECT_THROW(rail_map_of_devices({"^b"}), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::topology
