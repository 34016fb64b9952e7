#include "runner/options/option_table.hpp"

#include <CLI/CLI.hpp>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>

namespace railgauge::runner {
namespace {

constexpr const char* kConfig = "--config";

/// "minbytes" of "-b,--minbytes".
std::string long_name_of(const std::string& names) {
  const std::size_t begin = names.find("--") + 2;
  return names.substr(begin, names.find(',', begin) - begin);
}

/// "RAILGAUGE_MINBYTES" of "minbytes".
std::string variable_of(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
  });
  return "RAILGAUGE_" + name;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  if (words.empty() || list.ends_with(',')) words.emplace_back();
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) list += (i == 0 ? "" : ",") + words[i];
  return list;
}

/// A flag may be said to be off in a file or in the environment.
bool is_on(const std::string& word) {
  for (const char* on : {"true", "1", "on", "yes"}) {
    if (word == on) return true;
  }
  for (const char* off : {"false", "0", "off", "no"}) {
    if (word == off) return false;
  }
  throw_expected({"true", "false"});
}

/// A row as CLI11 is to read it.
void add_to(CLI::App& app, auto& row) {
  if (row.is_flag) {
    app.add_flag(row.names, std::as_const(row.about));
    return;
  }
  CLI::Option* const option = app.add_option(row.names, row.words, row.about);
  option->type_name(row.unit.empty() ? "VALUE" : row.unit);
  if (!row.initial.empty()) option->default_str(row.initial);
  if (!row.refused.empty()) {
    option->group("")->expected(0, 1);
  } else if (!row.is_list) {
    option->expected(1);
  }
}

/// The lines of a file; a directory can be opened, too, but has none.
std::vector<CLI::ConfigItem> items_of(const std::string& path) {
  try {
    if (!std::filesystem::is_directory(path)) return CLI::ConfigTOML().from_file(path);
  } catch (const CLI::FileError&) {  // the sentence below says more
  }
  throw std::invalid_argument(std::string(kConfig) + " " + path + ": expected a readable file");
}

/// As a number if it is one.
decltype(results::Option::value) typed(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return number;
  return text;
}

}  // namespace

OptionTable::OptionTable(std::string program, std::string about, std::string footer)
    : program_(std::move(program)), about_(std::move(about)), footer_(std::move(footer)) {}

void OptionTable::add(Row row) {
  row.long_name = long_name_of(row.names);
  rows_.push_back(std::move(row));
}

void OptionTable::flag(const std::string& names, bool& field, std::string about) {
  add({.names = names,
       .about = std::move(about),
       .is_flag = true,
       .set = [&field](const Words& words) { field = is_on(words.front()); }});
}

void OptionTable::refuse(const std::string& names, std::string instead) {
  add({.names = names, .refused = std::move(instead)});
}

const OptionTable::Row& OptionTable::row(const std::string& long_name) const {
  const auto found = std::ranges::find(rows_, long_name, &Row::long_name);
  if (found != rows_.end() && found->refused.empty()) return *found;
  throw std::out_of_range("there is no option --" + long_name);
}

OptionTable::Answer OptionTable::mistake(const std::string& what) const {
  return {program_ + ": " + what + "\nTry " + program_ + " --help", true};
}

std::optional<OptionTable::Answer> OptionTable::parse(int argc, char** argv,
                                                      const std::string& version) {
  CLI::App app(about_, program_);
  app.set_version_flag("--version", version);
  app.set_help_flag("-h,--help", "Print this help message and exit");
  app.footer(footer_);
  for (Row& row : rows_) add_to(app, row);
  std::string file;
  app.add_option(kConfig, file, "Read options from this file: lines of name = value")
      ->type_name("PATH");
  try {
    app.parse(argc, argv);
    read_command_line(app);
    if (app[kConfig]->count() > 0) read_file(file);
    read_environment();
    set_fields();
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream ignored;
    if (app.exit(error, out, ignored) == 0) return Answer{out.str(), false};
    return mistake(error.what());
  } catch (const std::invalid_argument& error) {
    return mistake(error.what());
  }
}

void OptionTable::read_command_line(const CLI::App& app) {
  for (Row& row : rows_) {
    const CLI::Option* const option = app["--" + row.long_name];
    if (option->count() == 0) continue;
    if (!row.refused.empty()) throw std::invalid_argument(row.names + " " + row.refused);
    if (row.is_flag) row.words = {option->results().back()};
    if (row.words.empty()) row.words.emplace_back();
    if (row.is_list) row.words = split(joined(row.words));
    row.origin = Origin::command_line;
  }
}

void OptionTable::read_file(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(std::string(kConfig) + " " + path + ": " + why);
  };
  std::set<std::string> named;
  for (const CLI::ConfigItem& item : items_of(path)) {
    if (!item.parents.empty()) refuse("expected no section, but [" + item.parents.front() + "]");
    const auto found = std::ranges::find(rows_, item.name, &Row::long_name);
    if (found == rows_.end() || !found->refused.empty()) {
      refuse("there is no option '" + item.name + "'");
    }
    if (!named.insert(item.name).second) refuse("'" + item.name + "' is given twice");
    if (found->origin != Origin::default_value) continue;
    found->words = found->is_list ? split(joined(item.inputs)) : item.inputs;
    found->origin = Origin::config_file;
  }
}

void OptionTable::read_environment() {
  for (Row& row : rows_) {
    if (row.origin != Origin::default_value || !row.refused.empty()) continue;
    const char* const value = std::getenv(variable_of(row.long_name).c_str());
    if (value == nullptr || *value == '\0') continue;
    row.words = row.is_list ? split(value) : Words{value};
    row.origin = Origin::environment;
  }
}

void OptionTable::set_fields() {
  for (Row& row : rows_) {
    if (row.origin == Origin::default_value) continue;
    const std::string said = "--" + row.long_name + " " + joined(row.words);
    if (!row.is_list && row.words.size() != 1) {
      throw std::invalid_argument(said + ": expected one value");
    }
    try {
      row.set(row.words);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(said + ": " + error.what());
    }
  }
}

OptionTable::Origin OptionTable::origin(const std::string& long_name) const {
  return row(long_name).origin;
}

std::map<std::string, results::Option> OptionTable::in_force() const {
  std::map<std::string, results::Option> values;
  for (const Row& row : rows_) {
    if (!row.refused.empty()) continue;
    const bool set = row.origin != Origin::default_value;
    results::Option& option = values[row.long_name];
    option.origin = row.origin;
    if (row.is_flag) {
      option.value = set && is_on(row.words.front());
    } else {
      option.value = typed(set ? joined(row.words) : row.initial);
    }
  }
  return values;
}

}  // namespace railgauge::runner
