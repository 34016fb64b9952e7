#include "results/csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(Csv, HasALineForEachPlacementThatWasMeasured) {
  const Document document = ok_document();
  EXPECT_EQ(csv_lines(document, 0).size(), 2U);
  EXPECT_EQ(csv_lines(document, 1).size(), 1U);
}

TEST(Csv, OfARowIsThis) {
  const Document document = ok_document();
  EXPECT_EQ(csv_lines(document, 0)[0],
            "2026-03-01T12:00:01Z,all_reduce,ring,float,sum,-1,4,2,0+1,1,131072,0,0,1048576,262144,"
            "out_of_place,20,3999,4000,4005,4030,4030,4030,0.262144,0.393216,62.5,0");
}

TEST(Csv, HasAsManyColumnsAsNames) {
  const Document document = ok_document();
  for (std::size_t row = 0; row < row_count(document.body); ++row) {
    for (const std::string& line : csv_lines(document, row)) {
      EXPECT_EQ(std::ranges::count(line, ','), std::ranges::count(csv_header(document.body), ','));
    }
  }
}

}  // namespace
}  // namespace railgauge::results
