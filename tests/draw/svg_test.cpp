#include "draw/svg.hpp"

#include <gtest/gtest.h>

namespace railgauge::draw {
namespace {

TEST(Svg, HoldsAnyText) {
  Svg svg("<a&b>", 100, 20);
  svg.label(1, 2, "c<d", Svg::Text::strong);
  const std::string text = svg.text();
  EXPECT_NE(text.find("viewBox='0 0 100 20'"), std::string::npos);
  EXPECT_NE(text.find("<title>&lt;a&amp;b&gt;</title>"), std::string::npos);
  EXPECT_NE(text.find("font-weight='600'>c&lt;d</text>"), std::string::npos);
  EXPECT_TRUE(text.ends_with("</svg>\n"));
}

TEST(Svg, HasSquaresThatSayWhatTheyAre) {
  Svg svg("", 10, 20);
  svg.cell("#fff", 1, 2, 3, "a<b");
  EXPECT_NE(svg.text().find("<rect fill='#fff' x='1' y='2' width='3' height='3'><title>a&lt;b<"),
            std::string::npos);
}

TEST(Svg, HasBoxesLinesAndShapesInClassesOfTheStyle) {
  Svg svg("", 10, 20);
  svg.box("fill0", 1, 2, 3, 4, "a<b");
  svg.lines("line1", "M0 0h9", true);
  svg.shape("fill1", "M0 0h9v9z", "");
  svg.lines("line2", "");
  const std::string text = svg.text();
  EXPECT_NE(text.find("<rect class='fill0' x='1' y='2' width='3' height='4'><title>a&lt;b<"),
            std::string::npos);
  EXPECT_NE(text.find("class='line1' fill='none' stroke-dasharray='4 3' d='M0 0h9'/>"),
            std::string::npos);
  EXPECT_NE(text.find("<path class='fill1' d='M0 0h9v9z'></path>"), std::string::npos);
  EXPECT_EQ(text.find("class='line2'"), std::string::npos) << "nothing is drawn of no commands";
}

TEST(Svg, FollowsTheViewersLightAndDescribesItself) {
  const std::string text = Svg("title", 10, 20, "what <it> shows").text();
  EXPECT_NE(text.find("@media screen and (prefers-color-scheme:dark)"), std::string::npos);
  EXPECT_NE(text.find("role='img'"), std::string::npos);
  EXPECT_NE(text.find("<desc>what &lt;it&gt; shows</desc>"), std::string::npos);
  EXPECT_NE(text.find("max-width:100%"), std::string::npos);
}

/// A page takes the style of a picture in it for its own.
TEST(Svg, StylesNothingElseOfAPage) {
  const std::string text = Svg("", 10, 20).text();
  const std::size_t begin = text.find("<style>") + 7;
  std::string style = text.substr(begin, text.find("</style>") - begin);
  for (std::size_t at = style.find('{'); at != std::string::npos; at = style.find('{', at + 1)) {
    const std::size_t from = style.find_last_of("{}", at - 1) + 1;
    const std::string selector = style.substr(from, at - from);
    EXPECT_TRUE(selector.starts_with(".rg ") || selector.starts_with("@media")) << selector;
  }
}

TEST(Svg, CutsNoText) {
  Svg svg("", 10, 20);
  svg.label(5, 2, std::string(50, 'x'));
  EXPECT_NE(svg.text().find("width='313'"), std::string::npos) << svg.text();
}

TEST(Svg, KnowsAboutHowWideATextIs) {
  EXPECT_EQ(width_of(""), 0);
  EXPECT_EQ(width_of("µs"), 12);
  EXPECT_EQ(width_of("abc", 22), 36);
}

TEST(Svg, ShortensATextThatIsTooWide) {
  EXPECT_EQ(fitting("abcdef", 36), "abcdef");
  EXPECT_EQ(fitting("abcdefg", 36), "abc...");
  EXPECT_EQ(fitting("µµµµµµµ", 36), "µµµ...") << "a letter of two bytes is not cut";
  EXPECT_EQ(fitting("abc", 1), "...");
}

}  // namespace
}  // namespace railgauge::draw
