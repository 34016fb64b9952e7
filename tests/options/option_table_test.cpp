#include "options/option_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "options/option_table_fixture.hpp"

namespace railgauge::options {
namespace {

using Origin = results::Option::Origin;

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
  EXPECT_EQ(mistake({"stray"}), as_mistake("unexpected argument 'stray'"));
  EXPECT_EQ(mistake({"-n"}), as_mistake("--iters: expected a value"));
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

TEST_F(OptionTableTest, WritesALaterMistakeInTheSameWords) {
  const auto answer = table_.mistake("-i and -f");
  EXPECT_EQ(answer.text, as_mistake("-i and -f"));
  EXPECT_TRUE(answer.mistake);
}

}  // namespace
}  // namespace railgauge::options
