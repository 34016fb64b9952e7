#include <gtest/gtest.h>

#include <sstream>

#include "manual/layout.hpp"
#include "manual/manual.hpp"
#include "sample_manual.hpp"

namespace railgauge::manual {
namespace {

TEST(Help, OfAProgramIsThis) {
  EXPECT_EQ(help(sample_manual()), R"(usage: ring_perf [OPTION...]
Runs rings

Sizes:
  -b, --minbytes SIZE         Smallest size [32M]

Axes:
      --algo NAME[,...]       Algorithms [ring]

Output:
  -J, --output PATH           Result document
      --force                 Replace [old] files: 'all'

Examples:
  ring_perf -b 8
      The smallest

Exit status:
  0 ok; 2 usage
)");
}

TEST(Help, NamesCommands) {
  const std::string text = help(sample_of_commands());
  EXPECT_NE(text.find("usage: gauge COMMAND\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  schedule                    Who sends what\n"), std::string::npos)
      << text;
}

TEST(Help, NamesArguments) {
  const std::string text = help(sample_of_commands().commands[1]);
  EXPECT_EQ(text.substr(0, text.find('\n')), "usage: gauge compare [OPTION...] RESULT...");
}

TEST(Help, HasAtMost100Columns) {
  Manual manual = sample_manual();
  for (Option& option : manual.options) {
    option.value = "one|another|a third|and so on";
    for (int i = 0; i < 40; ++i) option.about += " and on";
  }
  manual.about = manual.sections[0].text = manual.options[0].about;
  std::istringstream lines(help(manual));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), kColumns) << line;
}

TEST(Help, PutsALongNameOnALineOfItsOwn) {
  Manual manual{.program = "p"};
  manual.options = {{"--a-name-that-takes-all-of-its-column", "PATH", "Text"}};
  EXPECT_NE(help(manual).find("its-column PATH\n                              Text\n"),
            std::string::npos)
      << help(manual);
}

TEST(Wrapping, BreaksBetweenWordsOnly) {
  EXPECT_EQ(wrapped("", 4), "");
  EXPECT_EQ(wrapped(" a  b ", 2), "  a b\n");
  const std::string half(49, 'x');
  EXPECT_EQ(wrapped(half + " " + half + " c", 0), half + " " + half + "\nc\n");
  EXPECT_EQ(wrapped(half + " " + half, 2), "  " + half + "\n  " + half + "\n");
  const std::string longer(200, 'y');
  EXPECT_EQ(wrapped("a " + longer + " b", 0), "a\n" + longer + "\nb\n");
}

TEST(Names, AreSplit) {
  EXPECT_EQ(long_name("-b,--minbytes"), "minbytes");
  EXPECT_EQ(long_name("--how,--manner"), "how");
  EXPECT_EQ(long_name("-b"), "");
  EXPECT_EQ(split_names("-b,--minbytes"), (std::vector<std::string>{"-b", "--minbytes"}));
}

}  // namespace
}  // namespace railgauge::manual
