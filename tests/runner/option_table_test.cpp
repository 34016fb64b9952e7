#include "runner/options/option_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "runner/file.hpp"

namespace railgauge::runner {
namespace {

using Origin = results::Option::Origin;

/// A program with an option of each form.
class OptionTableTest : public ::testing::Test {
 protected:
  OptionTableTest() {
    table_.scalar("-n,--iters", iterations_, whole<int>(1, 100), "Iterations");
    table_.scalar("--name", name_, text("NAME"), "A name");
    table_.scalar("--how,--manner", how_, choice<int>({{"well", 1}, {"badly", 2}, {"no", 3}}),
                  "How");
    table_.optional("-m,--max-time", most_, whole<int>(0, 100), "Longest time");
    table_.axis("-q,--qps", queue_pairs_, whole<unsigned>(1, 64), "Queue pairs", {1U, 2U, 3U});
    table_.axis("--devices", devices_, text("NAME"), "Devices");
    table_.flag("--force", force_, "Replace files");
    table_.refuse("-g,--ngpus", "is about GPUs: start more processes", {"1"});
    table_.ignore("-r,--root", whole<int>(0, 7), "there is no root");
    table_.know_variables({"RAILGAUGE_OF_THE_LAUNCHER"});
  }

  ~OptionTableTest() override {
    for (const std::string& variable : variables_) unsetenv(variable.c_str());
  }

  void set_variable(const std::string& name, const std::string& value) {
    setenv(name.c_str(), value.c_str(), 1);
    variables_.push_back(name);
  }

  std::optional<OptionTable::Answer> parse(std::vector<std::string> words) {
    words.insert(words.begin(), "program");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    return table_.parse(static_cast<int>(argv.size()), argv.data(), "1.2.3 abc");
  }

  /// The text of a mistake, which there has to be.
  std::string mistake(const std::vector<std::string>& words) {
    const auto answer = parse(words);
    EXPECT_TRUE(answer && answer->mistake);
    return answer ? answer->text : "";
  }

  OptionTable table_{manual::Manual{.program = "program",
                                    .about = "What it is for",
                                    .sections = {{"Exit status", "What ends it"}}}};
  int iterations_ = 20;
  std::string name_ = "ring";
  int how_ = 1;
  std::optional<int> most_;
  std::vector<unsigned> queue_pairs_{1, 4};
  std::vector<std::string> devices_;
  bool force_ = false;
  std::vector<std::string> variables_;
};

std::string as_mistake(const std::string& what) {
  return "program: " + what + "\nTry program --help";
}

TEST_F(OptionTableTest, LeavesDefaultsWhereNobodySaysAnything) {
  EXPECT_FALSE(parse({}));
  EXPECT_EQ(iterations_, 20);
  EXPECT_FALSE(most_);
  EXPECT_EQ(queue_pairs_, (std::vector<unsigned>{1, 4}));
  EXPECT_FALSE(force_);
  for (const char* name : {"iters", "name", "max-time", "qps", "devices", "force"}) {
    EXPECT_EQ(table_.origin(name), Origin::default_value) << name;
    EXPECT_FALSE(table_.given(name)) << name;
  }
}

TEST_F(OptionTableTest, SetsTheFieldOfEachForm) {
  EXPECT_FALSE(parse({"-n", "7", "--name=tree", "--manner", "badly", "-m", "0", "--qps", "8,2",
                      "--devices", "b,a", "--force"}));
  EXPECT_EQ(iterations_, 7);
  EXPECT_EQ(name_, "tree");
  EXPECT_EQ(how_, 2);
  EXPECT_EQ(most_, 0);
  EXPECT_EQ(queue_pairs_, (std::vector<unsigned>{8, 2}));
  EXPECT_EQ(devices_, (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(force_);
  EXPECT_EQ(table_.origin("how"), Origin::command_line);
}

TEST_F(OptionTableTest, ReadsAFile) {
  const File file("# a comment\niters = 5\nname = \"a b\"\nqps = 2,3\nforce = true\n");
  EXPECT_FALSE(parse({"--config", file.path()}));
  EXPECT_EQ(iterations_, 5);
  EXPECT_EQ(name_, "a b");
  EXPECT_EQ(queue_pairs_, (std::vector<unsigned>{2, 3}));
  EXPECT_TRUE(force_);
  EXPECT_EQ(table_.origin("qps"), Origin::config_file);
  EXPECT_EQ(table_.origin("max-time"), Origin::default_value);
}

TEST_F(OptionTableTest, ReadsAnArrayInAFile) {
  const File file("qps = [2, 3]\ndevices = [\"a\", \"b\"]\n");
  EXPECT_FALSE(parse({"--config", file.path()}));
  EXPECT_EQ(queue_pairs_, (std::vector<unsigned>{2, 3}));
  EXPECT_EQ(devices_, (std::vector<std::string>{"a", "b"}));
}

TEST_F(OptionTableTest, ReadsTheEnvironmentByLongNames) {
  set_variable("RAILGAUGE_ITERS", "9");
  set_variable("RAILGAUGE_MAX_TIME", "3");
  set_variable("RAILGAUGE_DEVICES", "a,b");
  set_variable("RAILGAUGE_FORCE", "yes");
  set_variable("RAILGAUGE_NAME", "");  // as if it were not there
  EXPECT_FALSE(parse({}));
  EXPECT_EQ(iterations_, 9);
  EXPECT_EQ(most_, 3);
  EXPECT_EQ(devices_, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(force_);
  EXPECT_EQ(name_, "ring");
  EXPECT_EQ(table_.origin("force"), Origin::environment);
  EXPECT_EQ(table_.origin("name"), Origin::default_value);
}

TEST_F(OptionTableTest, PutsTheCommandLineOverTheFileOverTheEnvironment) {
  const File file("iters = 5\nqps = 5\n");
  set_variable("RAILGAUGE_ITERS", "6");
  set_variable("RAILGAUGE_QPS", "6");
  set_variable("RAILGAUGE_MAX_TIME", "6");
  EXPECT_FALSE(parse({"-n", "4", "--config", file.path()}));
  EXPECT_EQ(iterations_, 4);
  EXPECT_EQ(queue_pairs_, std::vector<unsigned>{5});
  EXPECT_EQ(most_, 6);
  EXPECT_EQ(table_.origin("iters"), Origin::command_line);
  EXPECT_EQ(table_.origin("qps"), Origin::config_file);
  EXPECT_EQ(table_.origin("max-time"), Origin::environment);
}

TEST_F(OptionTableTest, DoesNotLookAtWhatIsOverruled) {
  const File file("iters = many\n");
  set_variable("RAILGAUGE_ITERS", "few");
  EXPECT_FALSE(parse({"-n", "4", "--config", file.path()}));
}

TEST_F(OptionTableTest, TurnsFlagsOffAsWellAsOn) {
  const File file("force = false\n");
  set_variable("RAILGAUGE_FORCE", "1");
  EXPECT_FALSE(parse({"--config", file.path()}));
  EXPECT_FALSE(force_);
  EXPECT_EQ(table_.origin("force"), Origin::config_file);
}

TEST_F(OptionTableTest, LetsTheCommandLineTurnAFlagOff) {
  set_variable("RAILGAUGE_FORCE", "1");
  EXPECT_FALSE(parse({"--force=false"}));
  EXPECT_FALSE(force_);
  EXPECT_EQ(table_.origin("force"), Origin::command_line);
}

TEST_F(OptionTableTest, RefusesAFlagThatIsNeitherOnNorOff) {
  set_variable("RAILGAUGE_FORCE", "perhaps");
  EXPECT_EQ(mistake({}), as_mistake("--force perhaps: expected true or false"));
}

TEST_F(OptionTableTest, TakesTheLastOfAnOptionThatIsGivenAgain) {
  EXPECT_FALSE(parse({"-n", "3", "--qps", "8", "--iters", "4", "--qps", "1,2"}));
  EXPECT_EQ(iterations_, 4);
  EXPECT_EQ(queue_pairs_, (std::vector<unsigned>{1, 2}));
}

TEST_F(OptionTableTest, DoesNotLookAtValuesThatDoNotCount) {
  EXPECT_FALSE(parse({"-n", "many", "-n", "4"}));
  EXPECT_EQ(iterations_, 4);
}

TEST_F(OptionTableTest, TakesAllForAll) {
  EXPECT_FALSE(parse({"--qps", "all"}));
  EXPECT_EQ(queue_pairs_, (std::vector<unsigned>{1, 2, 3}));
}

TEST_F(OptionTableTest, HasNoAllAmongOthers) {
  EXPECT_NE(mistake({"--qps", "all,7"}).find("--qps all,7: expected a whole"), std::string::npos);
}

TEST_F(OptionTableTest, TakesAllForAWordWhereItMeansNothing) {
  EXPECT_FALSE(parse({"--devices", "all"}));
  EXPECT_EQ(devices_, std::vector<std::string>{"all"});
}

TEST_F(OptionTableTest, RefusesTheSameValueTwiceHoweverItIsWritten) {
  EXPECT_EQ(mistake({"--devices", "a,b,a"}), as_mistake("--devices a,b,a: 'a' is given twice"));
  EXPECT_EQ(mistake({"--qps", "7,07"}), as_mistake("--qps 7,07: '07' is given twice"));
}

TEST_F(OptionTableTest, RefusesAnEmptyPlaceInAList) {
  const std::string expected = "expected a whole number from 1 to 64";
  for (const std::string word : {"", ",", "1,", ",1", "1,,2"}) {
    EXPECT_EQ(mistake({"--qps", word}), as_mistake("--qps " + word + ": " + expected));
  }
}

TEST_F(OptionTableTest, SaysWhatIsExpected) {
  EXPECT_EQ(mistake({"-n", "many"}),
            as_mistake("--iters many: expected a whole number from 1 to 100"));
  EXPECT_EQ(mistake({"-n", ""}), as_mistake("--iters : expected a whole number from 1 to 100"));
}

TEST_F(OptionTableTest, SaysWhichWordsAreExpected) {
  EXPECT_EQ(mistake({"--how", "so"}), as_mistake("--how so: expected well, badly or no"));
}

TEST_F(OptionTableTest, TakesAnEmptyTextAsOne) {
  EXPECT_FALSE(parse({"--name", ""}));
  EXPECT_EQ(name_, "");
  EXPECT_TRUE(table_.given("name"));
}

TEST_F(OptionTableTest, IsAsStrictWithTheFile) {
  const File file("iters = many\n");
  EXPECT_EQ(mistake({"--config", file.path()}),
            as_mistake("--iters many: expected a whole number from 1 to 100"));
}

TEST_F(OptionTableTest, IsAsStrictWithTheEnvironment) {
  set_variable("RAILGAUGE_ITERS", "0");
  EXPECT_EQ(mistake({}), as_mistake("--iters 0: expected a whole number from 1 to 100"));
}

TEST_F(OptionTableTest, TakesOneValueOfAScalarInAFile) {
  const File file("iters = 3,4\n");
  EXPECT_EQ(mistake({"--config", file.path()}), as_mistake("--iters 3,4: expected one value"));
}

TEST_F(OptionTableTest, TakesAScalarOnceInAFile) {
  for (const std::string between : {"", "force = true\n"}) {
    const File file("iters = 3\n" + between + "iters = 4\n");
    const std::string text = mistake({"--config", file.path()});
    EXPECT_NE(text.find(between.empty() ? "expected one value" : "'iters' is given twice"),
              std::string::npos)
        << text;
  }
}

TEST_F(OptionTableTest, RefusesAScalarTwiceInAFileEvenIfItIsOverruled) {
  const File file("iters = 3\nforce = true\niters = 4\n");
  EXPECT_NE(mistake({"-n", "1", "--config", file.path()}).find("'iters' is given twice"),
            std::string::npos);
}

TEST_F(OptionTableTest, RefusesUnknownOptionsAndStrayWords) {
  EXPECT_EQ(mistake({"--itres", "4"}),
            as_mistake("there is no option --itres; did you mean --iters?"));
  EXPECT_EQ(mistake({"--iter=4"}), as_mistake("there is no option --iter; did you mean --iters?"));
  EXPECT_EQ(mistake({"--zebra"}), as_mistake("there is no option --zebra"));
  EXPECT_EQ(mistake({"-Q"}), as_mistake("there is no option -Q"));
  EXPECT_EQ(mistake({"stray"}), as_mistake("'stray' belongs to no option"));
  EXPECT_NE(mistake({"-n"}).find("--iters"), std::string::npos);
}

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

TEST_F(OptionTableTest, RefusesUnknownNamesInAFileWithTheirLine) {
  for (const std::string name : {"zebra", "ngpus", "n", "help"}) {
    const File file("# iters\n\n" + name + " = 4\n");
    EXPECT_EQ(
        mistake({"--config", file.path()}),
        as_mistake("--config " + file.path() + ": line 3: there is no option '" + name + "'"));
  }
  const File file("iters = 4\n  itres=5\n");
  EXPECT_EQ(mistake({"--config", file.path()}),
            as_mistake("--config " + file.path() +
                       ": line 2: there is no option 'itres'; did you mean iters?"));
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

TEST_F(OptionTableTest, RefusesASectionInAFile) {
  const File file("[section]\niters = 4\n");
  EXPECT_EQ(mistake({"--config", file.path()}),
            as_mistake("--config " + file.path() + ": line 1: expected no section, but [section]"));
}

TEST_F(OptionTableTest, RefusesAFileThatCannotBeRead) {
  for (const std::string path : {"/no/such", "/", ""}) {
    EXPECT_EQ(mistake({"--config", path}),
              as_mistake("--config " + path + ": expected a readable file"));
  }
}

TEST_F(OptionTableTest, SaysWhatToUseInstead) {
  const std::string instead = as_mistake("-g,--ngpus is about GPUs: start more processes");
  EXPECT_EQ(mistake({"-g", "8"}), instead);
  EXPECT_EQ(mistake({"--ngpus=8"}), instead);
  EXPECT_EQ(mistake({"-g"}), instead);
  EXPECT_THROW((void)table_.origin("ngpus"), std::out_of_range);
}

TEST_F(OptionTableTest, KnowsNoOriginOfAnUnknownOption) {
  EXPECT_THROW((void)table_.given("itres"), std::out_of_range);
}

TEST_F(OptionTableTest, RecordsValuesByTheirTypes) {
  EXPECT_FALSE(parse({"-n", "7", "--qps", "1,2", "--force"}));
  const auto values = table_.in_force();
  EXPECT_EQ(std::get<std::int64_t>(values.at("iters").value), 7);
  EXPECT_EQ(std::get<std::string>(values.at("qps").value), "1,2");
  EXPECT_TRUE(std::get<bool>(values.at("force").value));
  EXPECT_EQ(values.at("qps").origin, Origin::command_line);
  EXPECT_EQ(values.at("name").origin, Origin::default_value);
  EXPECT_EQ(values.count("ngpus") + values.count("config") + values.count("manner"), 0U);
  EXPECT_EQ(values.size(), 7U);
}

TEST_F(OptionTableTest, RecordsDefaultsByTheirTypes) {
  EXPECT_FALSE(parse({}));
  const auto values = table_.in_force();
  EXPECT_EQ(std::get<std::int64_t>(values.at("iters").value), 20);
  EXPECT_EQ(std::get<std::string>(values.at("name").value), "ring");
  EXPECT_EQ(std::get<std::string>(values.at("how").value), "well");
  EXPECT_EQ(std::get<std::string>(values.at("max-time").value), "");
  EXPECT_EQ(std::get<std::string>(values.at("qps").value), "1,4");
  EXPECT_FALSE(std::get<bool>(values.at("force").value));
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

TEST_F(OptionTableTest, AnswersManPageAndCompletion) {
  EXPECT_EQ(parse({"--man"})->text, manual::man_page(table_.manual(), "1.2.3"));
  EXPECT_EQ(parse({"--completion", "bash"})->text, manual::bash_completion(table_.manual()));
  EXPECT_EQ(parse({"--completion", "zsh"})->text, manual::zsh_completion(table_.manual()));
  EXPECT_NE(mistake({"--completion", "fish"}).find("expected bash or zsh"), std::string::npos);
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

TEST_F(OptionTableTest, WritesALaterMistakeInTheSameWords) {
  const auto answer = table_.mistake("-i and -f");
  EXPECT_EQ(answer.text, as_mistake("-i and -f"));
  EXPECT_TRUE(answer.mistake);
}

}  // namespace
}  // namespace railgauge::runner
