#include "results/lines.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

using Json = nlohmann::ordered_json;

TEST(Lines, OfAHeadIsTheDocumentWithoutRows) {
  const Document document = ok_document();
  Json expected = document;
  expected["rows"] = Json::array();
  EXPECT_EQ(Json::parse(head_line(document)), expected);
}

TEST(Lines, OfARowSaysWhatItIs) {
  const Document document = ok_document();
  const Json line = Json::parse(row_line(document, 0));
  EXPECT_EQ(line["schema"], "railgauge/row/1");
  EXPECT_EQ(line["row"], Json(rows_of(document)[0]));
}

TEST(Lines, HaveNoLineFeedInThem) {
  Document document = ok_document();
  document.command_line = {"a\nb", "\xff"};
  EXPECT_EQ(head_line(document).find('\n'), std::string::npos);
}

}  // namespace
}  // namespace railgauge::results
