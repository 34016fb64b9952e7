#include "results/measurement.hpp"

#include <gtest/gtest.h>

#include "results/document_codec.hpp"
#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(Measurement, HoldsNumbersWithTheirUnitsInTheirNames) {
  const Measurement measured = rows_of(ok_document())[0].out_of_place.value();
  EXPECT_EQ(encode(measured).dump(),
            R"({"time":{"n":20,"min_us":3999.0,"p50_us":4000.0,"p90_us":4005.0,"p99_us":4030.0,)"
            R"("p999_us":4030.0,"max_us":4030.0,"mean_us":4002.0},)"
            R"("median_interval_us":{"low_us":3999.5,"high_us":4002.0,"confidence":0.95},)"
            R"("bimodal":false,"stopped_by":"iterations","algbw_gigabytes_per_second":0.262144,)"
            R"("busbw_gigabytes_per_second":0.393216,)"
            R"("line_rate_percent":62.5,)"
            R"("rails":[{"rail":0,"plane":0,"bytes":3145728,)"
            R"("busbw_gigabytes_per_second":0.19700200400801604,"p50_us":3992.0,"p99_us":4000.0,)"
            R"("rank_us":[3990.0,3992.0,3991.0,3990.0]},{"rail":1,"plane":0,"bytes":3145728,)"
            R"("busbw_gigabytes_per_second":0.19665716429107277,"p50_us":3999.0,"p99_us":4000.0,)"
            R"("rank_us":[3998.0,null,3999.0,null]}],)"
            R"("rail_imbalance":{"bytes_percent":0.0,"time_percent":0.17535070140280562},)"
            R"("rank_medians_us":[4000.0,4000.0,3999.0,4000.0],)"
            R"("rank_own_us":[100.0,101.0,99.5,100.0],"wrong":0,)"
            R"("verified_iterations":1,"verification_us":2500.0,)"
            R"("histogram":{"relative_error":0.001953125,)"
            R"("bins":[[3999.0,4001.0,19],[4029.0,4031.0,1]]}})");
}

TEST(Measurement, SaysNullForWhatWasNotChecked) {
  const Json json = encode(rows_of(ok_document())[1].out_of_place.value());
  EXPECT_TRUE(json["wrong"].is_null());
  EXPECT_EQ(json["per_iteration"]["skipped"], 2);
}

TEST(StoppedBy, HasTheWordsOfTheSchema) {
  EXPECT_EQ(word(measure::StoppedBy::iterations), "iterations");
  EXPECT_EQ(word(measure::StoppedBy::duration), "duration");
  EXPECT_EQ(word(measure::StoppedBy::interval), "interval");
}

RailResult rail(unsigned number, std::uint64_t bytes, double p50_us) {
  return {.rail = number, .bytes = bytes, .p50_us = p50_us};
}

TEST(RailResult, ImbalanceIsThatOfTheMostToTheLeast) {
  const std::vector<RailResult> rails{rail(0, 100, 10), rail(1, 125, 40), rail(2, 110, 20)};
  EXPECT_DOUBLE_EQ(imbalance_of(rails).bytes_percent.value(), 25);
  EXPECT_DOUBLE_EQ(imbalance_of(rails).time_percent.value(), 300);
  EXPECT_EQ(slowest(rails).rail, 1U);
}

TEST(RailResult, OneRailAloneIsNotOutOfBalance) {
  EXPECT_FALSE(imbalance_of({}).bytes_percent);
  EXPECT_FALSE(imbalance_of(std::vector{rail(0, 100, 10)}).time_percent);
  EXPECT_FALSE(imbalance_of(std::vector{rail(0, 100, 10), rail(1, 0, 0)}).time_percent);
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
  EXPECT_EQ(encode(one).dump(),
            R"({"rail":3,"plane":0,"bytes":4096,"busbw_gigabytes_per_second":0.0,"p50_us":12.5,)"
            R"("p99_us":0.0,"rank_us":[12.5,null]})");
}

}  // namespace
}  // namespace railgauge::results
