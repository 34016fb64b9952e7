#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manual/manual.hpp"
#include "options/syntax.hpp"
#include "results/option.hpp"

namespace CLI {
class App;
}

// lib/options holds how options are declared and read: the table of a program's options, how values
// are written, and the options that several programs have. It must not know what any option does.

namespace railgauge::options {

/// Where a program takes its options from, besides its command line.
enum class Sources {
  all,           ///< a file (--config) and the environment, too
  command_line,  ///< nowhere else
};

/// The options of one program, one row each: names, how a value is written, the field it goes into,
/// the help text. A row is all there is to an option: its default is what the field holds when the
/// row is added; its name in a file (--config) and in the environment follows from its long name
/// (--minbytes: minbytes, RAILGAUGE_MINBYTES). Help and completion are made of the rows.
///
/// The command line takes precedence over the file, the file over the environment. All three are
/// read once, by parse(); the fields must outlive it. Of an option that is given twice on the
/// command line the last counts, as in nccl-tests.
class OptionTable {
 public:
  using Origin = results::Option::Origin;

  /// Program, what it is for, examples and further sections; the options come from the rows.
  explicit OptionTable(manual::Manual manual, Sources sources = Sources::all);

  /// Rows from here on stand under this heading.
  void group(std::string title) { group_ = std::move(title); }

  /// One value. Names are "-b,--minbytes": at most one short name, then long ones, of which the
  /// first counts.
  template <class T>
  void scalar(const std::string& names, T& field, const Syntax<T>& syntax,
              const std::string& about) {
    add({.names = names,
         .unit = syntax.unit,
         .about = about,
         .initial = syntax.print(field),
         .choices = syntax.words,
         .set = [&field, syntax](const Words& words) { field = syntax.parse(words.front()); }});
  }

  template <class T>
  void scalar(const Declaration<T>& option, T& field) {
    scalar(option.names, field, option.syntax, option.about);
  }

  /// One value, or none.
  template <class T>
  void optional(const std::string& names, std::optional<T>& field, const Syntax<T>& syntax,
                const std::string& about) {
    add({.names = names,
         .unit = syntax.unit,
         .about = about,
         .choices = syntax.words,
         .set = [&field, syntax](const Words& words) { field = syntax.parse(words.front()); }});
  }

  template <class T>
  void optional(const Declaration<T>& option, std::optional<T>& field) {
    optional(option.names, field, option.syntax, option.about);
  }

  /// Several values, separated by commas, none of them twice. `all`: what the word "all" stands
  /// for, if anything.
  template <class T>
  void axis(const std::string& names, std::vector<T>& field, const Syntax<T>& syntax,
            const std::string& about, std::vector<T> all = {}) {
    std::string initial;
    for (const T& value : field) initial += (initial.empty() ? "" : ",") + syntax.print(value);
    add({.names = names,
         .unit = syntax.unit + "[,...]",
         .about = about,
         .initial = initial,
         .choices = syntax.words,
         .is_list = true,
         .set = [&field, syntax, all = std::move(all)](const Words& words) {
           field = parse_list(words, syntax, all);
         }});
  }

  template <class T>
  void axis(const Declaration<T>& option, std::vector<T>& field) {
    axis(option.names, field, option.syntax, option.about);
  }

  /// An option that may be given several times; where the program has no arguments, several words
  /// may follow it, too.
  void repeated(const std::string& names, std::vector<std::string>& field, const std::string& unit,
                const std::string& about);

  /// Words that belong to no option, at least one: "results" is shown as RESULTS.
  void arguments(const std::string& name, std::vector<std::string>& field);
  /// The same, of one word; `required`: it may not be missing.
  void argument(const std::string& name, std::string& field, bool required = true);

  /// On when it is given.
  void flag(const std::string& names, bool& field, std::string about);
  void flag(const Declaration<bool>& option, bool& field) {
    flag(option.names, field, option.about);
  }

  /// An option that other programs have, and this one does not: whoever gives it reads `instead`.
  /// `harmless`: values that ask for what is done anyway, and get a note only.
  void refuse(const std::string& names, std::string instead,
              std::vector<std::string> harmless = {});

  /// An option of other programs that means nothing to this one: a value that they would take gets
  /// a note, that it changes nothing and `why`.
  template <class T>
  void ignore(const std::string& names, const Syntax<T>& syntax, const std::string& why) {
    add({.names = names, .ignored = why, .set = [syntax](const Words& words) {
           for (const std::string& word : words) (void)syntax.parse(word);
         }});
  }

  /// Variables called RAILGAUGE_... that are somebody else's: of the launchers, and of options that
  /// only other programs have. Any other that is no option's gets a note.
  void know_variables(std::vector<std::string> names) { known_variables_ = std::move(names); }

  /// What parse() leaves to print in place of a run: help, version and completion on
  /// stdout, a mistake on stderr with exit status 2.
  struct Answer {
    std::string text;
    bool mistake = false;
  };

  /// Sets all fields. Touches no device, and no file but the one --config names. `version` is what
  /// --version prints after the program's name.
  [[nodiscard]] std::optional<Answer> parse(int argc, char** argv, const std::string& version);
  /// A mistake in the options, found after parse(), in the same words.
  [[nodiscard]] Answer mistake(const std::string& what) const;

  /// After parse(): the long names of the options that were given.
  [[nodiscard]] std::vector<std::string> given_names() const;

  /// After parse(): what was accepted without being used, a sentence each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// All that is told of the program.
  [[nodiscard]] manual::Manual manual() const;

  /// "RAILGAUGE_MINBYTES" of each option.
  [[nodiscard]] std::vector<std::string> variables() const;

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
    Words choices{};        // all values there are; empty: any
    bool is_list = false;
    bool is_repeated = false;
    bool is_flag = false;
    bool is_argument = false;
    bool is_required = false;
    std::string refused{};  // what to use instead
    Words harmless{};       // values that are not refused
    std::string ignored{};  // why it means nothing here
    std::function<void(const Words&)> set{};
    std::string group{};
    std::string long_name{};  // of `names`
    Words words{};            // as given
    Origin origin = Origin::default_value;

    [[nodiscard]] bool is_ours() const { return refused.empty() && ignored.empty(); }
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
  [[nodiscard]] static std::string shown(const Row& row);
  [[nodiscard]] bool has_arguments() const;
  [[nodiscard]] const Row& row(const std::string& long_name) const;
  [[nodiscard]] Row* find(const std::string& long_name);
  [[nodiscard]] Words file_names() const;
  [[nodiscard]] Words option_names() const;
  void add_to(CLI::App& app);
  void add_row(CLI::App& app, Row& row) const;
  [[nodiscard]] std::optional<Answer> told(int argc, char** argv, const std::string& version) const;
  void refuse_unknown(const Words& words) const;
  void refuse_single_dash(int argc, char** argv) const;
  void read_command_line(const CLI::App& app);
  [[nodiscard]] bool is_refused(const Row& row);
  void read_file(const std::string& path);
  void read_environment();
  void note_unknown_variables();
  void set_fields();
  void set(Row& row);

  manual::Manual manual_;
  Sources sources_;
  std::string group_;
  std::vector<Row> rows_;
  std::vector<std::string> known_variables_;
  std::vector<std::string> notes_;
};

}  // namespace railgauge::options
