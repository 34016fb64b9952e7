#include "topology/port_pattern.hpp"

#include <algorithm>
#include <charconv>
#include <ranges>
#include <stdexcept>

namespace railgauge::topology {
namespace {

bool taken(std::string_view& text, char mark) {
  const bool there = text.starts_with(mark);
  if (there) text.remove_prefix(1);
  return there;
}

int port_number(std::string_view text) {
  int port = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
  if (read.ec == std::errc{} && read.ptr == text.data() + text.size() && port > 0) return port;
  throw std::invalid_argument("'" + std::string(text) + "' is no number of a port");
}

}  // namespace

PortPattern::PortPattern(std::string_view text) : text_(text) {
  negated_ = taken(text, '^');
  exact_ = taken(text, '=');
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    const std::size_t colon = name.find(':');
    if (name.substr(0, colon).empty()) {
      throw std::invalid_argument("'" + text_ + "' names no device");
    }
    names_.push_back({std::string(name.substr(0, colon)), std::nullopt});
    if (colon != std::string_view::npos) names_.back().port = port_number(name.substr(colon + 1));
    if (comma != std::string_view::npos) text.remove_prefix(comma + 1);
  }
}

bool PortPattern::matches(const std::string& device, int port) const {
  const bool named = std::ranges::any_of(names_, [&](const Name& name) {
    const bool alike = exact_ ? device == name.device : device.starts_with(name.device);
    return alike && name.port.value_or(port) == port;
  });
  return named != negated_;
}

}  // namespace railgauge::topology
