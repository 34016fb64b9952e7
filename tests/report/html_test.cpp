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
