#include "report/row_group.hpp"

#include <gtest/gtest.h>

namespace railgauge::report {
namespace {

Json row(int size, const char* algorithm, int queue_pairs, int cycle = 0) {
  return {{"size_bytes", size},  {"type", "float"},        {"op", "sum"},
          {"rails", {0}},        {"cycle", cycle},         {"queue_pairs", queue_pairs},
          {"in_place", nullptr}, {"algorithm", algorithm}, {"out_of_place", Json::object()}};
}

TEST(RowGroup, DiffersInNothingButSize) {
  Json document{{"rows", Json::array()}};
  document["rows"].push_back(row(8, "ring", 1));
  document["rows"].push_back(row(8, "ring", 2));
  document["rows"].push_back(row(16, "ring", 1));
  document["rows"].push_back(row(8, "ring", 1, 1));
  const auto groups = row_groups_of(document);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].title, "ring, float sum, 1 queue pair, out of place");
  ASSERT_EQ(groups[0].sizes.size(), 2u);
  EXPECT_EQ(groups[0].sizes[1].size_bytes, 16u);
  EXPECT_EQ(groups[2].title, "ring, float sum, 1 queue pair, out of place, cycle 1");
  EXPECT_TRUE(row_groups_of(Json::object()).empty());
}

}  // namespace
}  // namespace railgauge::report
