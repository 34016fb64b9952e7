#include "results/lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "results/document_codec.hpp"
#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(Lines, OfAHeadIsTheDocumentWithoutRows) {
  const Document document = ok_document();
  Json expected = document;
  expected["rows"] = Json::array();
  EXPECT_EQ(Json::parse(head_line(document)), expected);
}

TEST(Lines, OfARowSaysWhatItIs) {
  const Document document = ok_document();
  const Json line = Json::parse(row_line(document, 0));
  EXPECT_EQ(line["schema"], "railgauge/row/2");
  EXPECT_EQ(line["kind"], "collective");
  EXPECT_EQ(line["row"], encode(rows_of(document)[0]));
}

TEST(Lines, HaveNoLineFeedInThem) {
  Document document = ok_document();
  document.command_line = {"a\nb", "\xff"};
  EXPECT_EQ(head_line(document).find('\n'), std::string::npos);
}

TEST(Csv, HasALineForEachPlacementThatWasMeasured) {
  const Document document = ok_document();
  EXPECT_EQ(csv_lines(document, 0).size(), 2U);
  EXPECT_EQ(csv_lines(document, 1).size(), 1U);
}

TEST(Csv, OfARowIsThis) {
  const Document document = ok_document();
  EXPECT_EQ(
      csv_lines(document, 0)[0],
      "2026-03-01T12:00:01Z,all_reduce,ring,float,sum,-1,4,2,0+1,1,131072,0,false,0,1048576,262144,"
      "out_of_place,20,3999,4000,4005,4030,4030,4030,0.262144,0.393216,62.5,0");
}

TEST(Csv, HasAsManyColumnsAsNames) {
  for (const Document& document : {ok_document(), reachability_document(), pairs_document()}) {
    const auto commas = std::ranges::count(csv_header(document.body), ',');
    for (std::size_t row = 0; row < row_count(document.body); ++row) {
      for (const std::string& line : csv_lines(document, row)) {
        EXPECT_EQ(std::ranges::count(line, ','), commas) << line;
      }
    }
  }
}

TEST(Csv, OfAPairSaysWhoAndWhat) {
  Document document = reachability_document();
  EXPECT_EQ(
      csv_lines(document, 0),
      std::vector<std::string>{"host0,0,0,rxe0,1,10.10.0.1,host1,0,0,rxe0,1,10.10.0.2,true,true,"
                               "4.5,0.25,,1"});
  auto& rows = std::get<ReachabilityBody>(document.body).rows;
  rows[1].reason = "\"no\", it said";
  EXPECT_TRUE(csv_lines(document, 1)[0].ends_with("true,false,,,\"\"\"no\"\", it said\",1"))
      << csv_lines(document, 1)[0];
}

TEST(Csv, OfPairsEndsWithTheWayAsFarAsItIsKnown) {
  const Document document = pairs_document();
  EXPECT_TRUE(csv_lines(document, 0)[0].ends_with("PASS,,3,told,10.1.0.1 > 10.2.0.1 > 10.1.0.2"))
      << csv_lines(document, 0)[0];
  EXPECT_TRUE(csv_lines(document, 1)[0].ends_with(",3,by-queue-pair,10.1.0.2 > ? > 10.1.0.1"));
  EXPECT_TRUE(csv_lines(document, 2)[0].ends_with("no answer within 1 s,,no-answer,"));
}

TEST(Csv, OfATestSaysWhoWhatAndWhichWay) {
  EXPECT_EQ(csv_lines(isolate_document(), 0),
            std::vector<std::string>{
                "host0,0,rxe0,10.10.0.1,host1,0,rxe0,10.10.0.2,49152,0,false,"
                "10.1.0.1>10.2.0.1>10.1.0.2,false,false,0.25,12,30.5,4000,40,,,lossy,"});
}

}  // namespace
}  // namespace railgauge::results
