// A table of a program that has arguments and reads nothing but its command line.

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "options/option_table.hpp"

namespace railgauge::options {
namespace {

using Words = std::vector<std::string>;

class CommandLineTest : public ::testing::Test {
 protected:
  CommandLineTest() {
    table_.arguments("results", results_);
    table_.repeated("--reference", references_, "NAME", "Compare with");
    table_.scalar("--ranks", ranks_, whole<int>(1, 100), "Ranks");
  }

  std::optional<OptionTable::Answer> parse(Words words) { return parse(table_, std::move(words)); }

  static std::optional<OptionTable::Answer> parse(OptionTable& table, Words words) {
    words.insert(words.begin(), "compare");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    return table.parse(static_cast<int>(argv.size()), argv.data(), "1.2.3");
  }

  std::string mistake(const Words& words) {
    const auto answer = parse(words);
    EXPECT_TRUE(answer && answer->mistake);
    return answer ? answer->text : "";
  }

  OptionTable table_{manual::Manual{.program = "tool compare", .about = "Compare"},
                     Sources::command_line};
  Words results_;
  Words references_;
  int ranks_ = 8;
};

TEST_F(CommandLineTest, HasArgumentsBeforeAndAfterOptions) {
  EXPECT_FALSE(parse({"a", "--ranks", "4", "b"}));
  EXPECT_EQ(results_, (Words{"a", "b"}));
  EXPECT_EQ(ranks_, 4);
}

TEST_F(CommandLineTest, TakesAnOptionSeveralTimesButNotItsArguments) {
  EXPECT_FALSE(parse({"--reference", "x", "a", "--reference", "y", "b"}));
  EXPECT_EQ(references_, (Words{"x", "y"}));
  EXPECT_EQ(results_, (Words{"a", "b"}));
}

TEST_F(CommandLineTest, MissesAnArgument) {
  EXPECT_EQ(mistake({"--ranks", "4"}),
            "tool compare: missing argument RESULTS...\nTry tool compare --help");
}

TEST_F(CommandLineTest, TakesTheLastOfAnOptionWithOneValue) {
  EXPECT_FALSE(parse({"a", "--ranks", "4", "--ranks", "5"}));
  EXPECT_EQ(ranks_, 5);
}

TEST_F(CommandLineTest, ReadsNoEnvironmentAndNoFile) {
  setenv("RAILGAUGE_RANKS", "4", 1);
  EXPECT_FALSE(parse({"a"}));
  unsetenv("RAILGAUGE_RANKS");
  EXPECT_EQ(ranks_, 8);
  EXPECT_EQ(table_.notes(), Words{});
  EXPECT_NE(mistake({"a", "--config", "file"}).find("there is no option --config"),
            std::string::npos);
}

TEST_F(CommandLineTest, SaysWhichOptionsWereGiven) {
  EXPECT_FALSE(parse({"a", "--ranks", "8"}));
  EXPECT_EQ(table_.given_names(), (Words{"results", "ranks"}));
  EXPECT_TRUE(table_.given("ranks"));
  EXPECT_FALSE(table_.given("reference"));
}

TEST_F(CommandLineTest, ShowsArgumentsInItsUsage) {
  const std::string help = parse({"--help"})->text;
  EXPECT_NE(help.find("usage: tool compare [OPTION...] RESULTS...\n"), std::string::npos) << help;
  EXPECT_EQ(help.find("--config"), std::string::npos) << help;
}

TEST_F(CommandLineTest, HasEachHeadingOnceInItsHelp) {
  bool plan = false;
  table_.group("Plans");
  table_.flag("--plan", plan, "Plan");
  const std::string help = parse({"--help"})->text;
  EXPECT_NE(help.find("Options:\n"), std::string::npos) << help;
  EXPECT_EQ(help.find("Options:\n"), help.rfind("Options:\n")) << help;
}

TEST_F(CommandLineTest, TakesOneWordForOneArgument) {
  OptionTable table{manual::Manual{.program = "tool show"}, Sources::command_line};
  std::string name;
  table.argument("name", name, false);
  EXPECT_FALSE(parse(table, {}));
  EXPECT_EQ(name, "");
  EXPECT_FALSE(parse(table, {"-"}));
  EXPECT_EQ(name, "-");
  EXPECT_EQ(table.manual().arguments, "[NAME]");
  EXPECT_NE(parse(table, {"a", "b"})->text.find("unexpected argument 'b'"), std::string::npos);
}

TEST_F(CommandLineTest, TakesSeveralWordsOfAnOptionWhereThereAreNoArguments) {
  OptionTable table{manual::Manual{.program = "tool topo"}, Sources::command_line};
  Words from;
  bool json = false;
  table.repeated("--from", from, "PATH", "Files");
  table.flag("--json", json, "JSON");
  EXPECT_FALSE(parse(table, {"--from", "a", "b", "--json"}));
  EXPECT_EQ(from, (Words{"a", "b"}));
  EXPECT_TRUE(json);
}

TEST(PositiveNumber, IsFinite) {
  EXPECT_EQ(positive_number().parse("2.5"), 2.5);
  for (const char* word : {"0", "-1", "inf", "-inf", "nan", "1e999", "2x", ""})
    EXPECT_THROW(positive_number().parse(word), std::invalid_argument) << word;
}

TEST(Declaration, HasTheSameRowInEveryForm) {
  const Declaration<int> count{"--count", whole<int>(1, 9), "Number of things"};
  OptionTable table{manual::Manual{.program = "program"}};
  int one = 3;
  table.scalar(count.with("At most nine"), one);
  const manual::Option row = table.manual().options.front();
  EXPECT_EQ(row.names, "--count");
  EXPECT_EQ(row.about, "Number of things. At most nine");
  EXPECT_EQ(row.initial, "3");
  OptionTable lists{manual::Manual{.program = "program"}};
  std::vector<int> several{1, 2};
  lists.axis(count, several);
  EXPECT_EQ(lists.manual().options.front().value, "N[,...]");
  EXPECT_EQ(lists.manual().options.front().about, "Number of things");
}

}  // namespace
}  // namespace railgauge::options
