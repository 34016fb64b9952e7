#include "results/rail_result.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace railgauge::results {
namespace {

RailResult rail(unsigned number, std::uint64_t bytes, double p50_us) {
  return {.rail = number, .bytes = bytes, .p50_us = p50_us};
}

TEST(RailResult, ImbalanceIsThatOfTheMostToTheLeast) {
  const std::vector<RailResult> rails{rail(0, 100, 10), rail(1, 125, 40), rail(2, 110, 20)};
  EXPECT_DOUBLE_EQ(bytes_imbalance_percent(rails).value(), 25);
  EXPECT_DOUBLE_EQ(time_imbalance_percent(rails).value(), 300);
  EXPECT_EQ(slowest(rails).rail, 1U);
}

TEST(RailResult, OneRailAloneIsNotOutOfBalance) {
  EXPECT_FALSE(bytes_imbalance_percent({}));
  EXPECT_FALSE(time_imbalance_percent(std::vector{rail(0, 100, 10)}));
  EXPECT_FALSE(time_imbalance_percent(std::vector{rail(0, 100, 10), rail(1, 0, 0)}));
}

TEST(RailResult, BandwidthIsSharedByBytesAndTime) {
  std::vector<RailResult> rails{rail(0, 300, 100), rail(1, 100, 50), rail(2, 0, 0)};
  share_bandwidth(rails, 8, 100);
  EXPECT_DOUBLE_EQ(rails[0].busbw_gigabytes_per_second, 6);  // three quarters, all of the time
  EXPECT_DOUBLE_EQ(rails[1].busbw_gigabytes_per_second, 4);  // a quarter, half of the time
  EXPECT_DOUBLE_EQ(rails[2].busbw_gigabytes_per_second, 0);
}

TEST(RailResult, NamesUnitsAndWhoWasNotThere) {
  RailResult one = rail(3, 4096, 12.5);
  one.rank_us = {12.5, std::nullopt};
  EXPECT_EQ(nlohmann::ordered_json(one).dump(),
            R"({"rail":3,"bytes":4096,"busbw_gigabytes_per_second":0.0,"p50_us":12.5,)"
            R"("p99_us":0.0,"rank_us":[12.5,null]})");
}

}  // namespace
}  // namespace railgauge::results
