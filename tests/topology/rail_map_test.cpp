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
  const RailMap map{{"mlx5_0", 1}, {"mlx5_2", 0}};
  EXPECT_EQ(load_rail_map("mlx5_0=1,mlx5_2=0"), map);
  const std::string file = ::testing::TempDir() + "/rails";
  std::ofstream(file) << "# board 7\nmlx5_0=1  # left\n\nmlx5_2:1=0\n";
  EXPECT_EQ(load_rail_map(file), map);
  EXPECT_THROW(load_rail_map("/no/such/file"), std::invalid_argument);
}

TEST(RailMap, NamesPorts) {
  const RailMap map = parse_rail_map("mlx4_0:2=0,mlx4_0=1");
  EXPECT_EQ(mapped_rail(map, "mlx4_0", 2), 0);
  EXPECT_EQ(mapped_rail(map, "mlx4_0", 1), 1);
  EXPECT_EQ(mapped_rail(map, "mlx4_1", 1), std::nullopt);
}

TEST(RailMap, SaysWhatIsWrong) {
  EXPECT_EQ(complaint(""), "the rail map is empty");
  EXPECT_EQ(complaint("a=0,b=2"), "the rail map has nothing on rail 1");
  EXPECT_EQ(complaint("a=0,b=0"), "the rail map has two ports on rail 0");
  EXPECT_EQ(complaint("a=0,a:1=1"), "the rail map has a twice");
  for (const char* text : {"a", "=0", "a=", "a=-1", "a=x", "a=0x"}) {
    EXPECT_NE(complaint(text).find("is no entry"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace railgauge::topology
