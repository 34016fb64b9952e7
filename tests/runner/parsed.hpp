#pragma once

#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runner/options/run_options.hpp"

namespace railgauge::runner {

/// The options of a run, parsed and checked as runner::run() does it.
class ParsedRun {
 public:
  explicit ParsedRun(const std::string& program)
      : table(manual::Manual{.program = program, .about = "about"}) {}
  ParsedRun(const ParsedRun&) = delete;
  ParsedRun& operator=(const ParsedRun&) = delete;

  /// Of options that are to be added before: `check`, what they say together.
  void parse(std::vector<std::string> words, const std::function<void()>& check) {
    add_run_options(table, run, {"nccl", "wide"});
    words.insert(words.begin(), "program");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    answer_ = table.parse(static_cast<int>(argv.size()), argv.data(), "version");
    if (answer_) return;
    try {
      check_run_options(table, run);
      check();
    } catch (const std::invalid_argument& error) {
      answer_ = table.mistake(error.what());
    }
  }

  /// The text of a mistake; empty if there was none.
  [[nodiscard]] std::string mistake() const {
    return answer_ && answer_->mistake ? answer_->text : "";
  }

  options::OptionTable table;
  RunOptions run;

 private:
  std::optional<options::OptionTable::Answer> answer_;
};

/// A variable of the environment as long as this is there.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Variable() { unsetenv(name_.c_str()); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_;
};

}  // namespace railgauge::runner
