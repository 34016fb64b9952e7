#include "draw/escape.hpp"

#include <gtest/gtest.h>

namespace railgauge::draw {
namespace {

constexpr const char* kReplacement = "\xef\xbf\xbd";  // U+FFFD

TEST(Escape, MakesEntitiesOfCharactersWithAMeaning) {
  EXPECT_EQ(escaped("<a href=\"b\">'c' & d</a>"),
            "&lt;a href=&quot;b&quot;&gt;&#39;c&#39; &amp; d&lt;/a&gt;");
  EXPECT_EQ(escaped("&amp;"), "&amp;amp;");
}

TEST(Escape, LeavesOtherTextAsItIs) {
  EXPECT_EQ(escaped(""), "");
  EXPECT_EQ(escaped("mlx5_0:1, 400 Gb/s\n\t10.10.0.7/24"), "mlx5_0:1, 400 Gb/s\n\t10.10.0.7/24");
  EXPECT_EQ(escaped("Tr\xc3\xa4"
                    "ff \xe2\x80\x93 \xf0\x9f\x9a\x86"),
            "Tr\xc3\xa4"
            "ff \xe2\x80\x93 \xf0\x9f\x9a\x86");
}

TEST(Escape, LeavesOutControlBytesThatXmlDoesNotAllow) {
  for (int byte = 0; byte < 0x20; ++byte) {
    const std::string text{'a', static_cast<char>(byte), 'b'};
    const bool allowed = byte == '\n' || byte == '\t';
    EXPECT_EQ(escaped(text), allowed ? text : "ab") << byte;
  }
  EXPECT_EQ(escaped("a\x7f"
                    "b"),
            "ab");
  EXPECT_EQ(escaped("\x1b[31mred\x1b[0m\r\n"), "[31mred[0m\n");
}

TEST(Escape, ReplacesBytesThatAreNotUtf8) {
  for (const char* bad : {"\xff", "\x80", "\xc3", "\xe2\x82"}) {
    EXPECT_EQ(escaped("a" + std::string(bad)), "a" + std::string(kReplacement));
  }
  const std::string overlong = escaped("a\xc0\xaf<");  // of a slash
  EXPECT_EQ(overlong.find('/'), std::string::npos);
  EXPECT_TRUE(overlong.ends_with("&lt;")) << overlong;
  // A sequence that a meaningful character cuts short does not swallow it.
  EXPECT_EQ(escaped("\xe2\x82<"), kReplacement + std::string("&lt;"));
}

}  // namespace
}  // namespace railgauge::draw
