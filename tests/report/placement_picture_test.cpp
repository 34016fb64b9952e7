#include "report/placement_picture.hpp"

#include <gtest/gtest.h>

namespace railgauge::report {
namespace {

Json rank(int number, int numa_node) {
  const Json near{{"rail", 0}, {"device", "mlx5_0"}, {"numa_node", 0}};
  const Json far{{"rail", 1}, {"device", "mlx5_1"}, {"numa_node", 1}};
  return {{"rank", number},
          {"host", "a<b"},
          {"numa_node", numa_node},
          {"rails", Json::array({near, far})}};
}

TEST(PlacementPicture, PutsRanksAndNicsIntoTheirNodes) {
  Json document;
  document["ranks"] = Json::array({rank(0, 0), rank(1, 1), rank(2, 1)});
  EXPECT_EQ(placement_picture(document),
            "<div class=\"picture\"><div class=\"host\"><strong>a&lt;b</strong>"
            "<div class=\"node\"><small>NUMA node 0</small><div class=\"rank\">rank 0</div>"
            "<div class=\"nic\">rail 0: mlx5_0</div></div>"
            "<div class=\"node\"><small>NUMA node 1</small><div class=\"rank\">rank 1</div>"
            "<div class=\"rank\">rank 2</div><div class=\"nic\">rail 1: mlx5_1</div></div>"
            "</div></div>\n");
}

TEST(PlacementPicture, SaysWhatIsNotKnown) {
  Json document;
  document["ranks"] = Json::array({{{"rank", 0}, {"host", "a"}}});
  EXPECT_NE(placement_picture(document).find("NUMA node not known"), std::string::npos);
  EXPECT_EQ(placement_picture(Json::object()), "");
}

}  // namespace
}  // namespace railgauge::report
