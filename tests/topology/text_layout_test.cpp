#include "topology/text_layout.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace railgauge::topology {
namespace {

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t width = 0;
  for (std::string line; std::getline(lines, line);) width = std::max(width, line.size());
  return width;
}

TEST(TableText, AlignsColumns) {
  EXPECT_EQ(table_text({{"rail", "port"}, {"0", "mlx5_0:1"}, {"10", "x"}}),
            "  rail  port\n"
            "  0     mlx5_0:1\n"
            "  10    x\n");
}

TEST(TableText, ContinuesListsIfItIsTooWide) {
  const std::string list = "0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60";
  EXPECT_EQ(table_text({{"node", "cpus"}, {"0", list}}), "  node  cpus\n  0     " + list + "\n");
  EXPECT_EQ(table_text({{"node", "cpus", "what"}, {"0", list, std::string(40, 'x')}}),
            "  node  cpus                      what\n"
            "  0     0,4,8,12,16,20,24,28,32,  " +
                std::string(40, 'x') +
                "\n"
                "        36,40,44,48,52,56,60\n");
}

TEST(TableText, IsSeveralIfItIsStillTooWide) {
  const std::string wide(40, 'x');
  EXPECT_EQ(table_text({{"rail", "a", "b"}, {"0", wide, wide}}),
            "  rail  a\n"
            "  0     " +
                wide +
                "\n\n"
                "  rail  b\n"
                "  0     " +
                wide + "\n");
  EXPECT_EQ(table_text({{"rail", "a", "b", "c"}, {"0", "1", "2", wide + wide}}, 1, 2),
            "  rail  a\n"
            "  0     1\n\n"
            "  rail  b\n"
            "  0     2\n\n"
            "  rail  c\n"
            "  0     " +
                wide + wide + "\n");
  const std::string wider(90, 'x');  // stays whole
  EXPECT_EQ(widest(table_text({{"rail", "a"}, {"0", wider}})), 98U);
}

TEST(SentenceText, BreaksBetweenWords) {
  EXPECT_EQ(sentence_text("short"), "  short\n");
  std::string words = "one";
  for (int i = 0; i < 30; ++i) words += " two";
  const std::string text = sentence_text(words);
  EXPECT_LE(widest(text), 80U);
  EXPECT_TRUE(text.starts_with("  one two"));
  EXPECT_NE(text.find("\n    two"), std::string::npos);
  EXPECT_EQ(sentence_text("a " + std::string(90, 'x') + " b"),
            "  a\n    " + std::string(90, 'x') + "\n    b\n");
}

}  // namespace
}  // namespace railgauge::topology
