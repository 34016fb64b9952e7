#include "report/html.hpp"

#include <gtest/gtest.h>

namespace railgauge::report {
namespace {

TEST(Html, EscapesWhatHasAMeaning) {
  EXPECT_EQ(escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(escaped("µs\n\t"), "µs\n\t");
  EXPECT_EQ(escaped(std::string("a\x01\x1f\0b", 5)), "ab");  // XML has no such characters
  EXPECT_EQ(escaped("a\xff"
                    "b"),
            "a\xef\xbf\xbd"
            "b");
}

TEST(Html, TablesEscapeTheirCells) {
  const std::string html = table({"<h>"}, {{{"<c>", "good"}}});
  EXPECT_NE(html.find("<th>&lt;h&gt;</th>"), std::string::npos);
  EXPECT_NE(html.find("<td class=\"good\">&lt;c&gt;</td>"), std::string::npos);
}

TEST(Html, OnlyLongCellsMayBreakWords) {
  const std::string html = table({"h"}, {{{std::string(25, 'x'), "bad"}, {"short", ""}}});
  EXPECT_NE(html.find("<td class=\"bad long\">x"), std::string::npos) << html;
  EXPECT_NE(html.find("<td>short</td>"), std::string::npos) << html;
}

TEST(Html, RankedTablesFoldWhatIsNotWorst) {
  std::vector<std::vector<Cell>> rows;
  for (int row = 0; row < 40; ++row) rows.push_back({{"r" + std::to_string(row), ""}});
  const std::string html = ranked_table({"h"}, rows, "ports", 10);
  EXPECT_NE(html.find("<summary>10 more ports</summary>"), std::string::npos) << html;
  EXPECT_NE(html.find("And 18 more ports"), std::string::npos) << html;
  EXPECT_LT(html.find("r11<"), html.find("<details>"));
  EXPECT_GT(html.find("r12<"), html.find("<details>"));
  EXPECT_EQ(html.find("r22<"), std::string::npos);
  rows.resize(16);
  EXPECT_EQ(ranked_table({"h"}, rows, "ports", 10).find("<details>"), std::string::npos);
}

TEST(Html, ASectionOfNothingIsNone) {
  EXPECT_EQ(section("title", ""), "");
  EXPECT_NE(section("a & b", "x").find("<h2>a &amp; b</h2>"), std::string::npos);
}

TEST(Html, NumbersHaveFourDigits) {
  EXPECT_EQ(number_text(0.393216), "0.3932");
  EXPECT_EQ(number_text(1234567), "1234567");
  EXPECT_EQ(number_text(1.0 / 0.0), "-");
}

}  // namespace
}  // namespace railgauge::report
