#include "results/measurement.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(Measurement, HoldsNumbersWithTheirUnitsInTheirNames) {
  const Measurement placement = rows_of(ok_document())[0].out_of_place.value();
  EXPECT_EQ(nlohmann::ordered_json(placement).dump(),
            R"({"time":{"n":20,"min_us":3999.0,"p50_us":4000.0,"p90_us":4005.0,"p99_us":4030.0,)"
            R"("p999_us":4030.0,"max_us":4030.0,"mean_us":4002.0},)"
            R"("median_interval_us":{"low_us":3999.5,"high_us":4002.0,"confidence":0.95},)"
            R"("bimodal":false,"stopped_by":"iterations","algbw_gigabytes_per_second":0.262144,)"
            R"("busbw_gigabytes_per_second":0.393216,)"
            R"("line_rate_percent":62.5,)"
            R"("rails":[{"rail":0,"bytes":3145728,)"
            R"("busbw_gigabytes_per_second":0.19700200400801604,"p50_us":3992.0,"p99_us":4000.0,)"
            R"("rank_us":[3990.0,3992.0,3991.0,3990.0]},{"rail":1,"bytes":3145728,)"
            R"("busbw_gigabytes_per_second":0.19665716429107277,"p50_us":3999.0,"p99_us":4000.0,)"
            R"("rank_us":[3998.0,null,3999.0,null]}],)"
            R"("rail_imbalance":{"bytes_percent":0.0,"time_percent":0.17535070140280562},)"
            R"("rank_medians_us":[4000.0,4000.0,3999.0,4000.0],)"
            R"("rank_own_us":[100.0,101.0,99.5,100.0],"straggler":null,"wrong":0,)"
            R"("verified_iterations":1,"verification_us":2500.0,)"
            R"("histogram":{"relative_error":0.001953125,)"
            R"("bins":[[3999.0,4001.0,19],[4029.0,4031.0,1]]}})");
}

TEST(Measurement, SaysNullForWhatWasNotCheckedAndNamesTheStraggler) {
  const nlohmann::ordered_json json = rows_of(ok_document())[1].out_of_place.value();
  EXPECT_TRUE(json["wrong"].is_null());
  EXPECT_EQ(json["straggler"].dump(),
            R"({"rank":3,"host":"host1","own_us":9000.0,"others_us":100.0})");
  EXPECT_EQ(json["per_iteration"]["skipped"], 2);
}

TEST(StoppedBy, HasTheWordsOfTheSchema) {
  EXPECT_EQ(word(measure::StoppedBy::iterations), "iterations");
  EXPECT_EQ(word(measure::StoppedBy::duration), "duration");
  EXPECT_EQ(word(measure::StoppedBy::interval), "interval");
}

}  // namespace
}  // namespace railgauge::results
