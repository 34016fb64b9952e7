#include "results/document_codec.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "results/document.hpp"
#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

using Json = nlohmann::ordered_json;

/// The first row out of place only, with three iterations on each of two ranks; the first is
/// skipped.
Document with_iterations() {
  Document document = ok_document();
  document.options["minbytes"].value = std::string("1K");
  document.options["iters"].value = std::int64_t{3};
  document.options["stepfactor"].value = std::int64_t{4};
  CollectiveRow& row = std::get<CollectiveBody>(document.body).rows.front();
  row.in_place.reset();
  row.out_of_place->per_iteration = PerIteration{.skipped = 1};
  row.out_of_place->iteration_us = {{90, 10.0004, 20}, {80, 12, 18}};
  return document;
}

Json added_to(const Document& document) {
  Json json = Json::object();
  add_nccl_json(json, document);
  return json;
}

TEST(NcclJson, IsThereOnlyIfIterationsWereKept) {
  EXPECT_EQ(added_to(ok_document()), Json::object());
  const Json json = added_to(with_iterations());
  EXPECT_EQ(json["version"], 3);
  EXPECT_EQ(json["results"].size(), rows_of(with_iterations()).size());
}

TEST(NcclJson, HasTheSlowestRankOfEachIteration) {
  const Json timing = added_to(with_iterations())["results"][0]["out_of_place_per_iter"];
  EXPECT_EQ(timing["times_us"], (Json{90.0, 12.0, 20.0}));
  EXPECT_EQ(timing["per_process_max_times_us"], (Json{{90.0, 10.0, 20.0}, {80.0, 12.0, 18.0}}));
}

TEST(NcclJson, HasFiguresOfIterationsThatAreNotSkipped) {
  const Json timing = added_to(with_iterations())["results"][0]["out_of_place_per_iter"];
  EXPECT_EQ(timing["skipped_iterations"], 1);
  EXPECT_EQ(timing["min_us"], 12);
  EXPECT_EQ(timing["max_us"], 20);
  EXPECT_EQ(timing["avg_us"], 16);
  EXPECT_EQ(timing["p50_us"], 20);  // the later of two, as there
  EXPECT_EQ(timing["p99_us"], 20);
  EXPECT_EQ(timing["stdev_us"], 4);  // of all, not of a sample
  EXPECT_EQ(timing["cv_pct"], 25);
}

TEST(NcclJson, HasRowsUnderTheirNamesThere) {
  const Json row = added_to(with_iterations())["results"][0];
  const CollectiveRow own = rows_of(with_iterations())[0];
  EXPECT_EQ(row["size"], own.size_bytes);
  EXPECT_EQ(row["count"], own.count);
  EXPECT_EQ(row["redop"], "sum");
  EXPECT_EQ(row["root"], "-1");
  EXPECT_EQ(row["out_of_place"]["time"], own.out_of_place->time.p50_us);
  EXPECT_EQ(row["out_of_place"]["bus_bw"], own.out_of_place->busbw_gigabytes_per_second);
  EXPECT_EQ(row["out_of_place"]["nwrong"], 0);
  EXPECT_TRUE(row["in_place"].is_null());
  EXPECT_FALSE(row.contains("in_place_per_iter"));  // which the script takes for an empty one
}

TEST(NcclJson, HasOptionsAndRanks) {
  const Json config = added_to(with_iterations())["config"];
  EXPECT_EQ(config["minimum_bytes"], 1024);
  EXPECT_EQ(config["iterations"], 3);
  EXPECT_EQ(config["step_factor"], 4);
  ASSERT_EQ(config["devices"].size(), 4U);
  EXPECT_EQ(config["devices"][3]["hostname"], "host1");
  EXPECT_EQ(config["devices"][3]["rank"], 3);
}

TEST(NcclJson, SkipsNoMoreThanThereIs) {
  Document document = with_iterations();
  std::get<CollectiveBody>(document.body).rows[0].out_of_place->per_iteration->skipped = 100;
  const Json timing = added_to(document)["results"][0]["out_of_place_per_iter"];
  EXPECT_EQ(timing["min_us"], 20);
}

TEST(NcclJson, IsInTheDocumentAndNotInItsHead) {
  const Json document = Json::parse(json_text(with_iterations()));
  EXPECT_TRUE(document.contains("results"));
  EXPECT_FALSE(Json::parse(head_line(with_iterations())).contains("results"));
}

}  // namespace
}  // namespace railgauge::results
