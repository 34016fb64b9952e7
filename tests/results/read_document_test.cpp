#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "results/codec.hpp"
#include "results/document.hpp"
#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

/// results-schema/examples/1 are documents that older versions wrote, as they wrote them.
Json kept(const std::string& name) {
  std::ifstream file(std::string(RAILGAUGE_SCHEMA_DIRECTORY "/examples/1/") + name);
  return Json::parse(file);
}

/// What reading a document after `change` complains of.
std::string complaint(const std::function<void(Json&)>& change, Json json = ok_document()) {
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

TEST(ReadDocument, ReadsResultsOfVersion1) {
  const Document document = read_document(kept("time-out.json"));
  EXPECT_EQ(document.exit_code, ExitCode::time_out);
  EXPECT_EQ(document.failures.at(0).kind, Failure::Kind::transport);
  const auto body = std::get<CollectiveBody>(read_document(kept("ok.json")).body);
  EXPECT_EQ(body.collective, "all_reduce");
  ASSERT_EQ(body.rows.size(), 2U);
  EXPECT_EQ(body.rows[0].point.chunk_bytes, 131072U);  // which was slice_bytes
  EXPECT_EQ(body.rows[0].out_of_place->time.p50_us, 4000);
}

TEST(ReadDocument, GivesOldRowsWhatWasInForce) {
  Json json = kept("ok.json");
  for (const char* field : {"own_rails", "queue_pairs", "slice_bytes", "traffic_class", "root"}) {
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

TEST(ReadDocument, ReadsReachabilityOfVersion1) {
  const Json old = kept("reachability.json");
  const Document document = read_document(old);
  const auto& body = std::get<ReachabilityBody>(document.body);
  ASSERT_EQ(body.rows.size(), old["pairs"].size());
  const Json& pair = old["pairs"][0];
  EXPECT_EQ(body.rows[0].from.address, old["nics"][pair["from"].get<int>()]["address"]);
  EXPECT_EQ(body.rows[0].to.device, old["nics"][pair["to"].get<int>()]["device"]);
  EXPECT_EQ(body.rows[0].gigabytes_per_second, pair["gigabytes_per_second"].get<double>());
  EXPECT_EQ(body.findings.size(), old["wrong"].size());
  EXPECT_EQ(body.summary.at(0).tested, old["kinds"][0]["asked"]);
  std::size_t nics = 0;
  for (const Rank& rank : document.ranks) nics += rank.rails.size();
  EXPECT_EQ(nics, old["nics"].size());
  EXPECT_EQ(document.ranks[0].rails[0].kind, DeviceKind::software);
}

TEST(ReadDocument, RefusesAPairOfANicThatIsNotThere) {
  EXPECT_NE(complaint([](Json& json) { json["pairs"][0]["to"] = 99; }, kept("reachability.json"))
                .find("of NIC 99"),
            std::string::npos);
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

TEST(ReadDocument, RefusesOtherDocuments) {
  EXPECT_EQ(complaint([](Json& json) { json["schema"] = "railgauge/result/3"; }),
            "its schema is 'railgauge/result/3', and this railgauge reads railgauge/result/2 or "
            "railgauge/result/1 or railgauge/reachability/1");
  EXPECT_EQ(complaint([](Json& json) { json["kind"] = "latency"; }),
            "this railgauge does not know results of the kind 'latency'");
  EXPECT_NE(complaint([](Json& json) { json = Json::array(); }).find("it has no schema"),
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
