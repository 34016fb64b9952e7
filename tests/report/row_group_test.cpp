#include "report/row_group.hpp"

#include <gtest/gtest.h>

namespace railgauge::report {
namespace {

results::CollectiveRow row(std::uint64_t size, unsigned queue_pairs, std::uint64_t cycle = 0) {
  return {.size_bytes = size,
          .type = "float",
          .op = "sum",
          .algorithm = "ring",
          .point = {.rails = {0}, .queue_pairs = queue_pairs},
          .cycle = cycle,
          .out_of_place = results::Measurement{}};
}

TEST(RowGroup, DiffersInNothingButSize) {
  const results::CollectiveBody body{"all_reduce",
                                     {row(8, 1), row(8, 2), row(16, 1), row(8, 1, 1)}};
  const auto groups = row_groups_of(body);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].title, "ring, float sum, 1 queue pair, out of place");
  ASSERT_EQ(groups[0].sizes.size(), 2u);
  EXPECT_EQ(groups[0].sizes[1].size_bytes, 16u);
  EXPECT_EQ(groups[0].sizes[1].measurement, &*body.rows[2].out_of_place);
  EXPECT_EQ(groups[2].title, "ring, float sum, 1 queue pair, out of place, cycle 1");
  EXPECT_TRUE(row_groups_of({}).empty());
}

}  // namespace
}  // namespace railgauge::report
