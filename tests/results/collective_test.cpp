#include "results/collective.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(Row, HoldsWhatWasChosenAndWhatWasMeasured) {
  CollectiveRow row = rows_of(ok_document())[0];
  row.out_of_place.reset();
  row.in_place.reset();
  EXPECT_EQ(
      nlohmann::ordered_json(row).dump(),
      R"({"size_bytes":1048576,"count":262144,"type":"float","op":"sum","root":-1,)"
      R"("algorithm":"ring","rails":[0,1],"own_rails":false,"queue_pairs":1,"chunk_bytes":131072,)"
      R"("traffic_class":0,"cycle":0,"measured":"2026-03-01T12:00:01Z","predictions":[],)"
      R"("out_of_place":null,"in_place":null})");
}

}  // namespace
}  // namespace railgauge::results
