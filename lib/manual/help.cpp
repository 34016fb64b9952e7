#include <sstream>

#include "manual/layout.hpp"
#include "manual/manual.hpp"

namespace railgauge::manual {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kAboutColumn = 30;  // where the text of an option begins

/// "  -b, --minbytes SIZE"; without a short name the long ones stand in one column all the same.
std::string head_of(const Option& option) {
  const auto names = split_names(option.names);
  const bool has_short = !names.empty() && !names.front().starts_with("--");
  std::string text = has_short ? "" : "    ";
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text + (option.value.empty() ? "" : " " + option.value);
}

std::string text_of(const Option& option) {
  return option.about + (option.initial.empty() ? "" : " [" + option.initial + "]");
}

std::string entry(const std::string& head, const std::string& about) {
  std::string line = std::string(kIndent, ' ') + head;
  std::string text = wrapped(about, kAboutColumn);
  if (text.empty()) return line + "\n";
  if (line.size() + 2 > kAboutColumn) return line + "\n" + text;
  return line + text.substr(line.size());
}

std::string option_lines(const Manual& manual) {
  std::string text;
  const std::string* group = nullptr;
  for (const Option& option : manual.options) {
    if (group == nullptr || option.group != *group) {
      text += "\n" + (option.group.empty() ? "Options" : option.group) + ":\n";
    }
    group = &option.group;
    text += entry(head_of(option), text_of(option));
  }
  return text;
}

std::string command_lines(const Manual& manual) {
  std::string text = manual.commands.empty() ? "" : "\nCommands:\n";
  for (const Manual& command : manual.commands) {
    text += entry(command.program.substr(command.program.rfind(' ') + 1), command.about);
  }
  return text;
}

std::string example_lines(const Manual& manual) {
  std::string text = manual.examples.empty() ? "" : "\nExamples:\n";
  for (const auto& [line, about] : manual.examples) {
    text += "  " + line + "\n" + wrapped(about, kIndent * 3);
  }
  return text;
}

std::string usage_of(const Manual& manual) {
  return "usage: " + manual.program + (manual.commands.empty() ? "" : " COMMAND") +
         (manual.options.empty() ? "" : " [OPTION...]") +
         (manual.arguments.empty() ? "" : " " + manual.arguments) + "\n";
}

}  // namespace

std::vector<std::string> split_names(std::string_view names) {
  std::vector<std::string> all;
  std::istringstream in{std::string(names)};
  for (std::string name; std::getline(in, name, ',');) all.push_back(name);
  return all;
}

std::string long_name(std::string_view names) {
  for (const std::string& name : split_names(names)) {
    if (name.starts_with("--")) return name.substr(2);
  }
  return "";
}

bool takes_file(const Option& option) {
  return option.value == "PATH" || option.value == "FILE";
}

std::string help(const Manual& manual) {
  std::string text = usage_of(manual) + wrapped(manual.about, 0) + command_lines(manual) +
                     option_lines(manual) + example_lines(manual);
  for (const auto& [title, words] : manual.sections) {
    text += "\n" + title + ":\n" + wrapped(words, kIndent);
  }
  return text;
}

}  // namespace railgauge::manual
