#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "options/option_table.hpp"
#include "runner/file.hpp"

namespace railgauge::options {

using runner::File;

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

inline std::string as_mistake(const std::string& what) {
  return "program: " + what + "\nTry program --help";
}

}  // namespace railgauge::options
