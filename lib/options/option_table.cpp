#include "options/option_table.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "finding/words.hpp"
#include "manual/manual.hpp"
#include "options/shared.hpp"

namespace railgauge::options {
namespace {

constexpr const char* kConfig = "--config";
constexpr std::string_view kVariablePrefix = "RAILGAUGE_";

/// "MAX_TIME" of "max-time".
std::string in_capitals(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
  });
  return name;
}

/// "RAILGAUGE_MINBYTES" of "minbytes".
std::string variable_of(const std::string& name) {
  return std::string(kVariablePrefix) + in_capitals(name);
}

/// Which all variables have in common, and which would make all of them look alike.
std::vector<std::string> without_prefix(std::vector<std::string> variables) {
  for (std::string& one : variables) one.erase(0, kVariablePrefix.size());
  return variables;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  if (words.empty() || list.ends_with(',')) words.emplace_back();
  return words;
}

/// A flag may be said to be off in a file or in the environment.
bool is_on(const std::string& word) {
  for (const char* on : {"true", "1", "on", "yes"}) {
    if (word == on) return true;
  }
  for (const char* off : {"false", "0", "off", "no"}) {
    if (word == off) return false;
  }
  throw_expected(word, {"true", "false"});
}

/// The lines of a file; a directory can be opened, too, but has none.
std::vector<CLI::ConfigItem> items_of(const std::string& path) {
  try {
    if (!std::filesystem::is_directory(path)) return CLI::ConfigTOML().from_file(path);
  } catch (const CLI::FileError&) {  // the sentence below says more
  }
  throw std::invalid_argument(std::string(kConfig) + " " + path + ": expected a readable file");
}

/// "line 3: ", of the last line of a file that begins with a name; nothing if none does.
std::string line_of(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  int number = 0;
  int found = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::size_t begin = line.find_first_not_of(" \t[");
    if (begin == std::string::npos || line.compare(begin, name.size(), name) != 0) continue;
    const std::size_t end = line.find_first_not_of(" \t", begin + name.size());
    if (end == std::string::npos || line[end] == '=' || line[end] == ']') found = number;
  }
  return found == 0 ? "" : "line " + std::to_string(found) + ": ";
}

/// As a number if it is one.
decltype(results::Option::value) typed(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return number;
  return text;
}

/// The options that every program has besides its rows.
std::vector<manual::Option> options_of_all(Sources sources) {
  if (sources == Sources::command_line) return {help("")};
  const std::string group = "Help and settings";
  return {{.names = kConfig,
           .value = "PATH",
           .about = "Read options from this file: lines of name = value",
           .group = group},
          help(group),
          version(group),
          completion(group)};
}

/// Rows of one heading may have been added in several places: headings stay in the order of their
/// first rows.
void group_together(std::vector<manual::Option>& options) {
  std::vector<std::string> groups;
  for (const manual::Option& option : options) {
    if (std::ranges::count(groups, option.group) == 0) groups.push_back(option.group);
  }
  const auto place = [&](const manual::Option& option) {
    return std::ranges::find(groups, option.group) - groups.begin();
  };
  std::ranges::stable_sort(options, {}, place);
}

}  // namespace

OptionTable::OptionTable(manual::Manual manual, Sources sources)
    : manual_(std::move(manual)), sources_(sources) {}

void OptionTable::add(Row row) {
  row.long_name = row.is_argument ? row.names : manual::long_name(row.names);
  row.group = group_;
  rows_.push_back(std::move(row));
}

void OptionTable::flag(const std::string& names, bool& field, std::string about) {
  add({.names = names,
       .about = std::move(about),
       .is_flag = true,
       .set = [&field](const Words& words) { field = is_on(words.front()); }});
}

void OptionTable::repeated(const std::string& names, std::vector<std::string>& field,
                           const std::string& unit, const std::string& about) {
  add({.names = names,
       .unit = unit,
       .about = about,
       .is_repeated = true,
       .set = [&field](const Words& words) { field = words; }});
}

void OptionTable::arguments(const std::string& name, std::vector<std::string>& field) {
  add({.names = name,
       .is_repeated = true,
       .is_argument = true,
       .is_required = true,
       .set = [&field](const Words& words) { field = words; }});
}

void OptionTable::argument(const std::string& name, std::string& field, bool required) {
  add({.names = name,
       .is_argument = true,
       .is_required = required,
       .set = [&field](const Words& words) { field = words.front(); }});
}

bool OptionTable::has_arguments() const {
  return std::ranges::count(rows_, true, &Row::is_argument) > 0;
}

void OptionTable::refuse(const std::string& names, std::string instead,
                         std::vector<std::string> harmless) {
  add({.names = names, .refused = std::move(instead), .harmless = std::move(harmless)});
}

OptionTable::Row* OptionTable::find(const std::string& long_name) {
  const auto found = std::ranges::find(rows_, long_name, &Row::long_name);
  return found == rows_.end() ? nullptr : &*found;
}

const OptionTable::Row& OptionTable::row(const std::string& long_name) const {
  const auto found = std::ranges::find(rows_, long_name, &Row::long_name);
  if (found != rows_.end() && found->is_ours()) return *found;
  throw std::out_of_range("there is no option --" + long_name);
}

OptionTable::Answer OptionTable::mistake(const std::string& what) const {
  return {manual_.program + ": " + what + "\nTry " + manual_.program + " --help", true};
}

/// "RESULTS..." of an argument that may be several words, "[RESULT]" of one that may be missing.
std::string OptionTable::shown(const Row& row) {
  const std::string name = in_capitals(row.names) + (row.is_repeated ? "..." : "");
  return row.is_required ? name : "[" + name + "]";
}

manual::Manual OptionTable::manual() const {
  manual::Manual all = manual_;
  for (const Row& row : rows_) {
    if (!row.is_ours()) continue;
    if (row.is_argument) {
      all.arguments += (all.arguments.empty() ? "" : " ") + shown(row);
      continue;
    }
    const std::string value = row.is_flag ? "" : row.unit;
    all.options.push_back(
        {row.names, value, row.about, row.initial, row.group, row.choices, row.is_list});
  }
  std::ranges::move(options_of_all(sources_), std::back_inserter(all.options));
  group_together(all.options);
  return all;
}

std::vector<std::string> OptionTable::variables() const {
  std::vector<std::string> names;
  for (const Row& row : rows_) {
    if (row.is_ours()) names.push_back(variable_of(row.long_name));
  }
  return names;
}

/// As they stand in a file.
OptionTable::Words OptionTable::file_names() const {
  Words names;
  for (const Row& row : rows_) {
    if (row.is_ours()) names.push_back(row.long_name);
  }
  return names;
}

OptionTable::Words OptionTable::option_names() const {
  Words names;
  for (const manual::Option& option : manual().options) {
    std::ranges::move(manual::split_names(option.names), std::back_inserter(names));
  }
  return names;
}

/// A row as CLI11 is to read it.
void OptionTable::add_row(CLI::App& app, Row& row) const {
  using CLI::MultiOptionPolicy;
  constexpr int kMany = CLI::detail::expected_max_vector_size;
  if (row.is_flag) {
    app.add_flag(row.names, std::as_const(row.about));
    return;
  }
  const bool takes_several = row.is_repeated && (row.is_argument || !has_arguments());
  CLI::Option* const option = app.add_option(row.names, row.words);
  option->expected(row.refused.empty() ? 1 : 0, takes_several ? kMany : 1);
  option->allow_extra_args(takes_several);
  option->multi_option_policy(row.is_repeated ? MultiOptionPolicy::TakeAll
                                              : MultiOptionPolicy::TakeLast);
}

void OptionTable::add_to(CLI::App& app) {
  for (Row& row : rows_) add_row(app, row);
}

/// What is asked to be told, wherever it stands: whoever wants help has made his mistakes.
std::optional<OptionTable::Answer> OptionTable::told(int argc, char** argv,
                                                     const std::string& version) const {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") return Answer{manual::help(manual())};
    if (sources_ == Sources::command_line) continue;
    if (word == "--version") return Answer{manual_.program + " " + version + "\n"};
    const auto shell = shell_asked_for(word, i + 1 < argc ? argv[i + 1] : "");
    if (shell) return Answer{completion_for(*shell, manual())};
  }
  return std::nullopt;
}

void OptionTable::refuse_unknown(const Words& words) const {
  if (words.empty()) return;
  const std::string& word = words.front();
  if (!word.starts_with('-')) {
    throw std::invalid_argument("unexpected argument '" + word + "'");
  }
  const std::string name = word.substr(0, word.find('='));
  throw std::invalid_argument("there is no option " + name +
                              manual::did_you_mean(name, option_names()));
}

/// "-algo" is -a with the value "lgo" to a parser, and --algo to who wrote it.
void OptionTable::refuse_single_dash(int argc, char** argv) const {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with('-') || word.starts_with("--") || word.size() < 4) continue;
    const std::string name = "-" + word.substr(0, word.find('='));
    if (std::ranges::count(option_names(), name) == 0) continue;
    std::string what = "there is no option ";
    throw std::invalid_argument(what.append(word).append("; did you mean ").append(name) + "?");
  }
}

std::optional<OptionTable::Answer> OptionTable::parse(int argc, char** argv,
                                                      const std::string& version) {
  CLI::App app(manual_.about, manual_.program);
  app.set_help_flag();
  app.allow_extras();
  add_to(app);
  std::string file;
  const bool all = sources_ == Sources::all;
  if (all) app.add_option(kConfig, file)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  try {
    if (auto answer = told(argc, argv, version)) return answer;
    refuse_single_dash(argc, argv);
    app.parse(argc, argv);
    refuse_unknown(app.remaining());
    read_command_line(app);
    if (all && app[kConfig]->count() > 0) read_file(file);
    if (all) read_environment();
    set_fields();
    return std::nullopt;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string what = error.what();  // "--window: 1 required TEXT missing"
    return mistake(what.substr(0, what.find(':')) + ": expected a value");
  } catch (const CLI::ParseError& error) {
    return mistake(error.what());
  } catch (const std::invalid_argument& error) {
    return mistake(error.what());
  }
}

bool OptionTable::is_refused(const Row& row) {
  if (row.refused.empty()) return false;
  const std::string value = finding::joined(row.words, ",");
  if (std::ranges::count(row.harmless, value) == 0) return true;
  notes_.push_back("--" + row.long_name + " " + value + " changes nothing here (" + row.names +
                   " " + row.refused + ")");
  return false;
}

void OptionTable::read_command_line(const CLI::App& app) {
  for (Row& row : rows_) {
    const CLI::Option* const option = app[(row.is_argument ? "" : "--") + row.long_name];
    if (option->count() == 0 && row.is_required) {
      throw std::invalid_argument("missing argument " + shown(row));
    }
    if (option->count() == 0) continue;
    if (row.is_flag) row.words = {option->results().back()};
    if (row.words.empty()) row.words.emplace_back();
    if (is_refused(row)) throw std::invalid_argument(row.names + " " + row.refused);
    if (row.is_list) row.words = split(row.words.back());
    row.origin = Origin::command_line;
  }
}

void OptionTable::read_file(const std::string& path) {
  const auto refuse = [&](const std::string& name, const std::string& why) {
    throw std::invalid_argument(std::string(kConfig) + " " + path + ": " + line_of(path, name) +
                                why);
  };
  std::set<std::string> named;
  for (const CLI::ConfigItem& item : items_of(path)) {
    if (!item.parents.empty()) {
      refuse(item.parents.front(), "expected no section, but [" + item.parents.front() + "]");
    }
    Row* const found = find(item.name);
    if (found == nullptr || !found->refused.empty()) {
      refuse(item.name, "there is no option '" + item.name + "'" +
                            manual::did_you_mean(item.name, file_names()));
    }
    if (!named.insert(item.name).second) refuse(item.name, "'" + item.name + "' is given twice");
    if (found->origin != Origin::default_value) continue;
    found->words = found->is_list ? split(finding::joined(item.inputs, ",")) : item.inputs;
    found->origin = Origin::config_file;
  }
}

void OptionTable::read_environment() {
  for (Row& row : rows_) {
    if (row.origin != Origin::default_value || !row.is_ours()) continue;
    const char* const value = std::getenv(variable_of(row.long_name).c_str());
    if (value == nullptr || *value == '\0') continue;
    row.words = row.is_list ? split(value) : Words{value};
    row.origin = Origin::environment;
  }
  note_unknown_variables();
}

void OptionTable::note_unknown_variables() {
  const Words own = variables();
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view pair = *entry;
    const std::string name(pair.substr(0, pair.find('=')));
    if (!name.starts_with(kVariablePrefix) || pair.size() <= name.size() + 1) continue;
    if (std::ranges::count(own, name) + std::ranges::count(known_variables_, name) > 0) continue;
    const auto meant = manual::nearest(name.substr(kVariablePrefix.size()), without_prefix(own));
    notes_.push_back(
        "the variable " + name + " is ignored: there is no such option" +
        (meant ? "; did you mean " + std::string(kVariablePrefix) + *meant + "?" : ""));
  }
}

void OptionTable::set(Row& row) {
  const std::string said = "--" + row.long_name + " " + finding::joined(row.words, ",");
  if (!row.is_list && !row.is_repeated && row.words.size() != 1) {
    throw std::invalid_argument(said + ": expected one value");
  }
  try {
    row.set(row.words);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(said + ": " + error.what());
  }
  if (!row.ignored.empty()) notes_.push_back(said + " changes nothing here: " + row.ignored);
}

void OptionTable::set_fields() {
  for (Row& row : rows_) {
    if (row.origin != Origin::default_value && row.refused.empty()) set(row);
  }
}

OptionTable::Origin OptionTable::origin(const std::string& long_name) const {
  return row(long_name).origin;
}

std::vector<std::string> OptionTable::given_names() const {
  Words names;
  for (const Row& row : rows_) {
    if (row.origin != Origin::default_value) names.push_back(row.long_name);
  }
  return names;
}

std::map<std::string, results::Option> OptionTable::in_force() const {
  std::map<std::string, results::Option> values;
  for (const Row& row : rows_) {
    if (!row.is_ours()) continue;
    const bool set = row.origin != Origin::default_value;
    results::Option& option = values[row.long_name];
    option.origin = row.origin;
    if (row.is_flag) {
      option.value = set && is_on(row.words.front());
    } else {
      option.value = typed(set ? finding::joined(row.words, ",") : row.initial);
    }
  }
  return values;
}

}  // namespace railgauge::options
