#include "results/document.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "results/document_codec.hpp"
#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line + ",");
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

/// Of the first line of a row in which nothing is quoted.
std::string column(const Document& document, std::size_t row, const std::string& name) {
  const std::vector<std::string> names = split(csv_header(document.body));
  const auto place = std::ranges::find(names, name) - names.begin();
  return split(csv_lines(document, row)[0]).at(static_cast<std::size_t>(place));
}

TEST(Lines, OfAHeadIsTheDocumentWithoutRows) {
  const Document document = ok_document();
  Json expected = document;
  expected["rows"] = Json::array();
  EXPECT_EQ(Json::parse(head_line(document)), expected);
}

TEST(Lines, OfARowSaysWhatItIs) {
  const Document document = ok_document();
  const Json line = Json::parse(row_line(document, 0));
  EXPECT_EQ(line["schema"], "railgauge/row/3");
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

TEST(Csv, OfARowSaysWhatWasChosenAndWhatWasMeasured) {
  const Document document = ok_document();
  EXPECT_EQ(csv_header(document.body),
            "collective,ranks,hosts,size_bytes,count,type,op,algorithm,root,rails,own_rails,"
            "queue_pairs,chunk_bytes,traffic_class,unreduced,memory,split,cycle,measured,buffers,n,"
            "min_us,p50_us,p90_us,p99_us,p999_us,max_us,mean_us,low_us,high_us,bimodal,stopped_by,"
            "algbw_gigabytes_per_second,busbw_gigabytes_per_second,line_rate_percent,wrong,"
            "verified_iterations,verification_us");
  EXPECT_EQ(csv_lines(document, 0)[0],
            "all_reduce,4,2,1048576,262144,float,sum,ring,-1,0+1,false,1,131072,0,false,host,,0,"
            "2026-03-01T12:00:01Z,out_of_place,20,3999.0,4000.0,4005.0,4030.0,4030.0,4030.0,4002.0,"
            "3999.5,4002.0,false,iterations,0.262144,0.393216,62.5,0,1,2500.0");
}

TEST(Csv, HasAsManyColumnsAsNames) {
  for (const Document& document : {ok_document(), reachability_document(), pairs_document()}) {
    const auto commas = std::ranges::count(csv_header(document.body), ',');
    for (std::size_t row = 0; row < row_count(document.body); ++row) {
      for (const std::string& line : csv_lines(document, row)) {
        const std::string unquoted = std::regex_replace(line, std::regex("\"[^\"]*\""), "");
        EXPECT_EQ(std::ranges::count(unquoted, ','), commas) << line;
      }
    }
  }
}

TEST(Csv, OfAPairSaysWhoAndWhat) {
  Document document = reachability_document();
  EXPECT_EQ(column(document, 0, "from_host"), "host0");
  EXPECT_EQ(column(document, 0, "to_address"), "10.10.0.2");
  EXPECT_EQ(column(document, 0, "p50_us"), "4.5");
  EXPECT_EQ(column(document, 1, "p50_us"), "") << "it is not known";
  auto& row = std::get<PairsBody>(document.body).rows[1];
  row.figures.reason = row.remark = "\"no\", it said";
  EXPECT_NE(csv_lines(document, 1)[0].find("\"\"\"no\"\", it said\""), std::string::npos)
      << csv_lines(document, 1)[0];
}

TEST(Csv, OfPairsSaysThePathAsFarAsItIsKnown) {
  const Document document = pairs_document();
  EXPECT_EQ(column(document, 0, "verdict"), "PASS");
  EXPECT_EQ(column(document, 0, "switches"), "3");
  EXPECT_EQ(column(document, 0, "paths"), "10.1.0.1 > 10.2.0.1 > 10.1.0.2");
  EXPECT_EQ(column(document, 1, "path_label"), "by-queue-pair");
  EXPECT_EQ(column(document, 1, "paths"), "10.1.0.2 > ? > 10.1.0.1");
  EXPECT_EQ(column(document, 2, "reason"), "no answer within 1 s");
  EXPECT_EQ(column(document, 2, "p99_us"), "") << "nothing was timed";
}

TEST(Csv, OfATestSaysWhoWhatAndWhichWay) {
  const Document document = isolate_document();
  EXPECT_EQ(column(document, 0, "hops"), "10.1.0.1>10.2.0.1>10.1.0.2");
  EXPECT_EQ(column(document, 0, "lost_packets"), "40");
  EXPECT_EQ(column(document, 0, "cpu_share"), "");
}

}  // namespace
}  // namespace railgauge::results
