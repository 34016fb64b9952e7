#include <gtest/gtest.h>

#include <functional>

#include "results/codec.hpp"
#include "results/document.hpp"
#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

/// What reading a document after `change` complains of.
std::string complaint(const std::function<void(Json&)>& change) {
  Json json = ok_document();
  change(json);
  try {
    (void)read_document(json);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(ReadDocument, GivesBackWhatWasWritten) {
  auto documents = documents_of_every_status();
  documents["reachability"] = reachability_document();
  documents["pairs"] = pairs_document();
  for (const auto& [name, document] : documents) {
    const std::string text = json_text(document);
    EXPECT_EQ(json_text(read_document(Json::parse(text))), text) << name;
  }
}

TEST(ReadDocument, GivesRowsThatLackFieldsTheirDefaults) {
  Json json = ok_document();
  for (const char* field : {"own_rails", "queue_pairs", "chunk_bytes", "traffic_class", "root"}) {
    json["rows"][0].erase(field);
  }
  json["counters"][0].erase("rail");
  const Document document = read_document(json);
  EXPECT_EQ(std::get<CollectiveBody>(document.body).rows[0].point, (SweepPoint{.rails = {0, 1}}));
  EXPECT_FALSE(document.counters[0].rail);
}

TEST(ReadDocument, ReadsASearchForABadComponent) {
  const Json written = isolate_document();
  EXPECT_EQ(Json(read_document(written)), written);
}

TEST(ReadDocument, ReadsATestOfCongestion) {
  const Json written = congestion_document();
  EXPECT_EQ(Json(read_document(written)), written);
}

TEST(ReadDocument, ReadsAJob) {
  const Json written = job_document();
  EXPECT_EQ(Json(read_document(written)), written);
}

TEST(ReadDocument, NamesTheFieldByItsWayFromTheTop) {
  EXPECT_EQ(complaint([](Json& json) { json["rows"][1]["out_of_place"]["time"].erase("p50_us"); }),
            "the field 'rows[1].out_of_place.time.p50_us' is missing");
  EXPECT_EQ(complaint([](Json& json) { json["rows"][0]["queue_pairs"] = -1; }),
            "the field 'rows[0].queue_pairs' is of the wrong type: -1");
  EXPECT_EQ(complaint([](Json& json) { json["rows"] = 7; }),
            "the field 'rows' is of the wrong type: 7");
  EXPECT_EQ(complaint([](Json& json) { json["ranks"][0]["rails"][1]["kind"] = "paper"; }),
            "the field 'ranks[0].rails[1].kind' cannot be 'paper'");
  EXPECT_EQ(complaint([](Json& json) { json["options"]["iters"]["value"] = Json::array(); }),
            "the field 'options.iters.value' is of the wrong type: []");
  EXPECT_EQ(complaint([](Json& json) { json["exit_code"] = 99; }),
            "the field 'exit_code' is no exit code: 99");
  EXPECT_EQ(complaint([](Json& json) { json["start"] = "yesterday"; }),
            "the field 'start' is of the wrong type: \"yesterday\"");
}

TEST(ReadDocument, RefusesFiguresThatNoMeasurementHas) {
  const auto with = [](const char* field, const Json& value) {
    return complaint([&](Json& json) { json["rows"][0]["out_of_place"]["time"][field] = value; });
  };
  const std::string time = "the field 'rows[0].out_of_place.time.";
  EXPECT_EQ(with("p50_us", 0), time + "p50_us' is 0: nothing was measured");
  EXPECT_EQ(with("n", 0), time + "n' is 0: nothing was measured");
  EXPECT_EQ(with("p50_us", -4), time + "p50_us' is -4: nothing measures less than zero");
  EXPECT_EQ(with("min_us", -4), time + "min_us' is -4: nothing measures less than zero");
  EXPECT_EQ(complaint([](Json& json) {
              json["rows"][0]["out_of_place"]["busbw_gigabytes_per_second"] = -1;
            }),
            "the field 'rows[0].out_of_place.busbw_gigabytes_per_second' is -1: nothing measures "
            "less than zero");
  EXPECT_EQ(with("min_us", 0), "") << "an older document does not say";
}

TEST(ReadDocument, RefusesOtherDocuments) {
  EXPECT_EQ(complaint([](Json& json) { json["schema"] = "railgauge/result/2"; }),
            "the field 'schema' is 'railgauge/result/2'; this railgauge reads railgauge/result/3");
  EXPECT_EQ(complaint([](Json& json) { json["kind"] = "latency"; }),
            "this railgauge does not know results of the kind 'latency'");
  EXPECT_NE(
      complaint([](Json& json) { json = Json::array(); }).find("the field 'schema' is missing"),
      std::string::npos);
}

TEST(ReadDocument, TakesNullForWhatIsNotKnown) {
  EXPECT_EQ(complaint([](Json& json) {
              json["rows"][0]["in_place"] = nullptr;
              json["rows"][0]["queue_pairs"] = nullptr;
              json["rail_rule"] = nullptr;
            }),
            "");
}

}  // namespace
}  // namespace railgauge::results
