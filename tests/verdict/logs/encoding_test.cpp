#include "verdict/logs/encoding.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

std::string utf16(const std::string& text, bool high_first, bool mark) {
  std::string wide;
  const auto add = [&](char high, char low) {
    wide += high_first ? high : low;
    wide += high_first ? low : high;
  };
  if (mark) add('\xfe', '\xff');
  for (const char c : text) add('\0', c);
  return wide;
}

TEST(Encoding, KnowsUtf16ByItsMarkOrItsZeros) {
  const std::string text = "# OSU MPI Latency Test\n8 1.5\n";
  for (const bool high_first : {false, true}) {
    EXPECT_EQ(in_utf8(utf16(text, high_first, true)), text);
    EXPECT_EQ(in_utf8(utf16(text, high_first, false)), text);
  }
  EXPECT_EQ(in_utf8("\xef\xbb\xbf" + text), text);
  EXPECT_EQ(in_utf8(text), text);
}

TEST(Encoding, LosesWhatTerminalsUnderstand) {
  EXPECT_EQ(without_controls("\x1b[1;31m8\x1b[0m 2"), "8 2");
  EXPECT_EQ(without_controls("\x1b]0;title\a8"), "8");
  EXPECT_EQ(without_controls("8\xc2\xa0"
                             "2"),
            "8 2");
  EXPECT_EQ(without_controls("8 \x1b["), "8 ");
}

}  // namespace
}  // namespace railgauge::verdict
