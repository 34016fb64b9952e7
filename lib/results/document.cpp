#include "results/document.hpp"

#include <sstream>

namespace railgauge::results {

std::string_view Option::word(Origin origin) {
  switch (origin) {
    case Origin::default_value: return "default";
    case Origin::command_line: return "command line";
    case Origin::config_file: return "config file";
    case Origin::environment: return "environment";
  }
  return "";
}

std::string_view Failure::word(Kind kind) {
  switch (kind) {
    case Kind::time_out: return "time-out";
    case Kind::transport: return "transport";
    case Kind::wrong_data: return "wrong-data";
    case Kind::usage: return "usage";
    case Kind::environment: return "environment";
    case Kind::verdict: return "verdict";
    case Kind::interrupted: return "interrupted";
    case Kind::lost: return "lost";
    case Kind::stopped: return "stopped";
  }
  return "";
}

std::string status_of(const Document& document) {
  return document.exit_code ? std::string(status_word(*document.exit_code)) : "running";
}

std::string option_text(const Document& document, const std::string& name) {
  const auto option = document.options.find(name);
  if (option == document.options.end()) return "";
  return std::visit(
      [](const auto& held) {
        std::ostringstream text;
        text << std::boolalpha << held;
        return text.str();
      },
      option->second.value);
}

}  // namespace railgauge::results
