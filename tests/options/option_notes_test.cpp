// What a table of options tells: notes, what was perhaps meant, help and its like.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "options/option_table_fixture.hpp"

namespace railgauge::options {
namespace {

TEST_F(OptionTableTest, KnowsALongNameWithOneDash) {
  EXPECT_EQ(mistake({"-name", "tree"}),
            as_mistake("there is no option -name; did you mean --name?"));
  EXPECT_FALSE(parse({"-n7"}));
  EXPECT_EQ(iterations_, 7);
}

TEST_F(OptionTableTest, SaysWhichWordWasPerhapsMeant) {
  EXPECT_EQ(mistake({"--how", "badyl"}),
            as_mistake("--how badyl: expected well, badly or no; did you mean badly?"));
}

TEST_F(OptionTableTest, NotesAVariableThatIsNobodys) {
  set_variable("RAILGAUGE_ITRES", "4");
  set_variable("RAILGAUGE_ZEBRA", "4");
  set_variable("RAILGAUGE_EMPTY", "");
  set_variable("RAILGAUGE_OF_THE_LAUNCHER", "4");
  set_variable("RAILGAUGE_QPS", "4");
  EXPECT_FALSE(parse({}));
  auto notes = table_.notes();
  std::ranges::sort(notes);
  EXPECT_EQ(notes, (std::vector<std::string>{
                       "the variable RAILGAUGE_ITRES is ignored: there is no such option; did you "
                       "mean RAILGAUGE_ITERS?",
                       "the variable RAILGAUGE_ZEBRA is ignored: there is no such option"}));
}

TEST_F(OptionTableTest, NotesWhatChangesNothing) {
  EXPECT_FALSE(parse({"-g", "1", "-r", "3"}));
  EXPECT_EQ(table_.notes(),
            (std::vector<std::string>{
                "--ngpus 1 changes nothing here (-g,--ngpus is about GPUs: start more processes)",
                "--root 3 changes nothing here: there is no root"}));
  EXPECT_EQ(table_.in_force().count("root"), 0U);
  EXPECT_NE(mistake({"-r", "8"}).find("--root 8: expected a whole number"), std::string::npos);
}

TEST_F(OptionTableTest, NotesNothingIfNobodySaysAnything) {
  EXPECT_FALSE(parse({"-n", "3"}));
  EXPECT_EQ(table_.notes(), std::vector<std::string>{});
}

TEST_F(OptionTableTest, AnswersHelpWithoutAMistake) {
  const auto help = parse({"--help"});
  ASSERT_TRUE(help);
  EXPECT_FALSE(help->mistake);
  for (const char* part : {"What it is for", "What ends it", "--iters", "20", "--config"}) {
    EXPECT_NE(help->text.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(help->text.find("ngpus"), std::string::npos);
}

TEST_F(OptionTableTest, AnswersVersionWithoutAMistake) {
  const auto version = parse({"--version"});
  ASSERT_TRUE(version);
  EXPECT_FALSE(version->mistake);
  EXPECT_EQ(version->text, "program 1.2.3 abc\n");
}

TEST_F(OptionTableTest, AnswersHelpWhateverElseIsWrong) {
  const auto help = parse({"--zebra", "-n", "many", "-h"});
  ASSERT_TRUE(help);
  EXPECT_FALSE(help->mistake);
}

TEST_F(OptionTableTest, AnswersCompletion) {
  EXPECT_EQ(parse({"--completion", "bash"})->text, manual::bash_completion(table_.manual()));
  EXPECT_EQ(parse({"--completion", "zsh"})->text, manual::zsh_completion(table_.manual()));
  EXPECT_EQ(parse({"--completion=zsh"})->text, manual::zsh_completion(table_.manual()));
  const std::vector<std::vector<std::string>> wrong{
      {"--completion", "fish"}, {"--completion=fish"}, {"--completion"}, {"--completion="}};
  for (const auto& words : wrong)
    EXPECT_NE(mistake(words).find("expected bash or zsh"), std::string::npos);
  EXPECT_NE(mistake({"--completions=zsh"}).find("there is no option"), std::string::npos);
}

TEST_F(OptionTableTest, TellsOptionsOfOneHeadingTogether) {
  bool later = false;
  table_.group("First");
  table_.flag("--a", later, "A");
  table_.group("Second");
  table_.flag("--b", later, "B");
  table_.group("First");
  table_.flag("--c", later, "C");
  std::string names;
  for (const manual::Option& option : table_.manual().options) {
    if (option.names.size() == 3) names += option.names;
  }
  EXPECT_EQ(names, "--a--c--b");
}

}  // namespace
}  // namespace railgauge::options
