#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/document.hpp"
#include "runner/options/syntax.hpp"

namespace CLI {
class App;
}

namespace railgauge::runner {

/// The options of one program, one row each: names, how a value is written, the field it goes into,
/// the help text. A row is all there is to an option: its default is what the field holds when the
/// row is added; its name in a file (--config) and in the environment follows from its long name
/// (--minbytes: minbytes, RAILGAUGE_MINBYTES).
///
/// The command line takes precedence over the file, the file over the environment. All three are
/// read once, by parse(); the fields must outlive it.
class OptionTable {
 public:
  using Origin = results::Option::Origin;

  OptionTable(std::string program, std::string about, std::string footer);

  /// One value. Names are "-b,--minbytes": at most one short name, then long ones, of which the
  /// first counts.
  template <class T>
  void scalar(const std::string& names, T& field, const Syntax<T>& syntax, std::string about) {
    add({.names = names,
         .unit = syntax.unit,
         .about = std::move(about),
         .initial = syntax.print(field),
         .set = [&field, syntax](const Words& words) { field = syntax.parse(words.front()); }});
  }

  /// One value, or none.
  template <class T>
  void optional(const std::string& names, std::optional<T>& field, const Syntax<T>& syntax,
                std::string about) {
    add({.names = names,
         .unit = syntax.unit,
         .about = std::move(about),
         .set = [&field, syntax](const Words& words) { field = syntax.parse(words.front()); }});
  }

  /// Several values, separated by commas, none of them twice. `all`: what the word "all" stands
  /// for, if anything.
  template <class T>
  void axis(const std::string& names, std::vector<T>& field, const Syntax<T>& syntax,
            std::string about, std::vector<T> all = {}) {
    std::string initial;
    for (const T& value : field) initial += (initial.empty() ? "" : ",") + syntax.print(value);
    add({.names = names,
         .unit = "LIST",
         .about = std::move(about),
         .initial = initial,
         .is_list = true,
         .set = [&field, syntax, all = std::move(all)](const Words& words) {
           field = parse_list(words, syntax, all);
         }});
  }

  /// On when it is given.
  void flag(const std::string& names, bool& field, std::string about);

  /// An option that other programs have, and this one does not: whoever gives it reads `instead`.
  void refuse(const std::string& names, std::string instead);

  /// What parse() leaves to print in place of a run: help and version on stdout, a mistake on
  /// stderr with exit status 2.
  struct Answer {
    std::string text;
    bool mistake = false;
  };

  /// Sets all fields. Touches no device, and no file but the one --config names. `version` is what
  /// --version prints.
  [[nodiscard]] std::optional<Answer> parse(int argc, char** argv, const std::string& version);
  /// A mistake in the options, found after parse(), in the same words.
  [[nodiscard]] Answer mistake(const std::string& what) const;

  /// Who set an option, by its long name without dashes. Throws std::out_of_range if there is none.
  [[nodiscard]] Origin origin(const std::string& long_name) const;
  [[nodiscard]] bool given(const std::string& long_name) const {
    return origin(long_name) != Origin::default_value;
  }
  /// Every option with its value and who set it, by its long name, for the result document.
  [[nodiscard]] std::map<std::string, results::Option> in_force() const;

 private:
  using Words = std::vector<std::string>;

  struct Row {
    std::string names;
    std::string unit{};
    std::string about{};
    std::string initial{};  // the default, as the command line would say it
    bool is_list = false;
    bool is_flag = false;
    std::string refused{};  // what to use instead
    std::function<void(const Words&)> set{};
    std::string long_name{};  // of `names`
    Words words{};            // as given
    Origin origin = Origin::default_value;
  };

  template <class T>
  static std::vector<T> parse_list(const Words& words, const Syntax<T>& syntax,
                                   const std::vector<T>& all) {
    if (!all.empty() && words == Words{"all"}) return all;
    std::vector<T> values;
    for (const std::string& word : words) {
      T value = syntax.parse(word);
      if (std::ranges::count(values, value) > 0) {
        throw std::invalid_argument("'" + word + "' is given twice");
      }
      values.push_back(std::move(value));
    }
    return values;
  }

  void add(Row row);
  [[nodiscard]] const Row& row(const std::string& long_name) const;
  void read_command_line(const CLI::App& app);
  void read_file(const std::string& path);
  void read_environment();
  void set_fields();

  std::string program_;
  std::string about_;
  std::string footer_;
  std::vector<Row> rows_;
};

}  // namespace railgauge::runner
