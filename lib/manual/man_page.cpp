#include <algorithm>
#include <cctype>

#include "manual/manual.hpp"

namespace railgauge::manual {
namespace {

/// As man(7) prints it: a dash is a dash, and nothing at the beginning of a line is a request.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// "railgauge-compare" of "railgauge compare".
std::string page_name(std::string program) {
  std::ranges::replace(program, ' ', '-');
  return program;
}

std::string option_of(const Option& option) {
  std::string head;
  for (const std::string& name : split_names(option.names)) {
    head += (head.empty() ? "" : ", ") + std::string("\\fB") + escaped(name) + "\\fR";
  }
  if (!option.value.empty()) head += " \\fI" + escaped(option.value) + "\\fR";
  const std::string initial = option.initial.empty() ? "" : " Default: " + option.initial + ".";
  const bool ends = option.about.ends_with('.') || option.about.ends_with(')');
  return ".TP\n" + head + "\n" + escaped(option.about + (ends ? "" : ".") + initial) + "\n";
}

std::string options_of(const Manual& manual) {
  std::string text;
  const std::string* group = nullptr;
  for (const Option& option : manual.options) {
    const bool another = group == nullptr || option.group != *group;
    if (another && !option.group.empty()) text += ".SS " + escaped(option.group) + "\n";
    group = &option.group;
    text += option_of(option);
  }
  return text;
}

std::string synopsis_of(const Manual& manual) {
  return "\\fB" + escaped(manual.program) + "\\fR" +
         (manual.commands.empty() ? "" : " \\fICOMMAND\\fR") +
         (manual.options.empty() ? "" : " [\\fIOPTION\\fR...]") +
         (manual.arguments.empty() ? "" : " " + escaped(manual.arguments)) + "\n";
}

/// Sub-commands, however deep, one after the other.
std::string commands_of(const Manual& manual) {
  std::string text;
  for (const Manual& command : manual.commands) {
    text += ".SH COMMAND \"" + escaped(upper(command.program)) + "\"\n" + synopsis_of(command) +
            ".PP\n" + escaped(command.about) + "\n" + options_of(command) + commands_of(command);
  }
  return text;
}

std::string examples_of(const Manual& manual) {
  std::string text = manual.examples.empty() ? "" : ".SH EXAMPLES\n";
  for (const auto& [line, about] : manual.examples) {
    text += ".TP\n.B " + escaped(line) + "\n" + escaped(about) + "\n";
  }
  return text;
}

}  // namespace

std::string man_page(const Manual& manual, const std::string& version) {
  const std::string name = page_name(manual.program);
  std::string text = ".TH " + escaped(upper(name)) + " 1 \"\" \"railgauge " + escaped(version) +
                     "\" \"User Commands\"\n.SH NAME\n" + escaped(name) + " \\- " +
                     escaped(manual.about) + "\n.SH SYNOPSIS\n" + synopsis_of(manual);
  if (!manual.options.empty()) text += ".SH OPTIONS\n" + options_of(manual);
  text += commands_of(manual) + examples_of(manual);
  for (const auto& [title, words] : manual.sections) {
    text += ".SH " + escaped(upper(title)) + "\n" + escaped(words) + "\n";
  }
  return text;
}

}  // namespace railgauge::manual
