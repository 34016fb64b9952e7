#include "results/row.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(Row, HoldsNumbersWithTheirUnitsInTheirNames) {
  Row row = ok_document().rows[0];
  row.in_place.reset();
  EXPECT_EQ(nlohmann::ordered_json(row).dump(),
            R"({"size_bytes":1048576,"count":262144,"type":"float","op":"sum","root":-1,)"
            R"("algorithm":"ring","predictions":[],"out_of_place":{"time":{"n":20,"min_us":3999.0,)"
            R"("p50_us":4000.0,"p90_us":4005.0,"p99_us":4030.0,"max_us":4030.0},)"
            R"("algbw_gigabytes_per_second":0.262144,"busbw_gigabytes_per_second":0.393216,)"
            R"("wrong":0},"in_place":null})");
}

TEST(Row, SaysNullForWhatWasNotChecked) {
  const nlohmann::ordered_json row = ok_document().rows[1];
  EXPECT_TRUE(row["out_of_place"]["wrong"].is_null());
}

}  // namespace
}  // namespace railgauge::results
