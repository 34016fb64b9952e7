#include "results/group_bandwidth.hpp"

#include <gtest/gtest.h>

namespace railgauge::results {
namespace {

/// Ranks 1 and 3 take twice as long as 0 and 2.
CollectiveBody two_groups() {
  CollectiveBody body{.collective = "all_reduce", .rows = {{}}, .groups = {{0, 2}, {1, 3}}};
  Measurement& measured = body.rows[0].out_of_place.emplace();
  measured.time.p50_us = 20;
  measured.busbw_gigabytes_per_second = 3;
  measured.rank_medians_us = {10, 19, 9, 20};
  return body;
}

TEST(GroupBandwidth, IsOfTheSlowestRankOfAGroupTheSlowestGroupFirst) {
  const CollectiveBody body = two_groups();
  const auto all = group_bandwidths(body.groups, *body.rows[0].out_of_place);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].group, 1U);
  EXPECT_DOUBLE_EQ(all[0].busbw_gigabytes_per_second, 3);
  EXPECT_DOUBLE_EQ(all[1].busbw_gigabytes_per_second, 6);
  EXPECT_EQ(line_of_groups(body, body.rows[0]),
            "# Groups, slowest first, busbw in GB/s: 1 (ranks 1 3) 3, 0 (ranks 0 2) 6\n");
}

TEST(GroupBandwidth, IsNotKnownWithoutGroupsOrMedians) {
  CollectiveBody body = two_groups();
  body.rows[0].out_of_place->rank_medians_us.pop_back();
  EXPECT_EQ(line_of_groups(body, body.rows[0]), "");
  body = two_groups();
  body.groups.clear();
  EXPECT_EQ(line_of_groups(body, body.rows[0]), "");
  body = two_groups();
  body.rows[0].out_of_place.reset();
  EXPECT_EQ(line_of_groups(body, body.rows[0]), "");
}

TEST(GroupBandwidth, OfManyGroupsTheSlowestAreTold) {
  CollectiveBody body = two_groups();
  body.groups.clear();
  for (std::uint32_t rank = 0; rank < 20; ++rank) body.groups.push_back({rank});
  body.rows[0].out_of_place->rank_medians_us.assign(20, 10);
  body.rows[0].out_of_place->rank_medians_us[17] = 20;
  EXPECT_EQ(line_of_groups(body, body.rows[0])
                .find("# Groups, slowest 8 of 20, busbw in GB/s: 17 (rank 17) 3, 0 (rank 0) 6, "),
            0U);
}

}  // namespace
}  // namespace railgauge::results
