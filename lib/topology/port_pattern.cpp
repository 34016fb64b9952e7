#include "topology/port_pattern.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace railgauge::topology {
namespace {

bool taken(std::string_view& text, char mark) {
  const bool there = text.starts_with(mark);
  if (there) text.remove_prefix(1);
  return there;
}

/// What precedes the separator, which is taken, too.
std::string_view taken_up_to(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

/// The number of one part of a name; empty if it is not said.
std::optional<int> number(std::string_view text, int least, const char* what) {
  if (text.empty()) return std::nullopt;
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc{} && read.ptr == text.data() + text.size() && value >= least) {
    return value;
  }
  throw std::invalid_argument("'" + std::string(text) + "' is not a " + what + " number");
}

}  // namespace

PortName parse_port_name(std::string_view text) {
  const std::string whole = "'" + std::string(text) + "'";
  PortName name;
  name.device = taken_up_to(text, ':');
  if (name.device.empty()) throw std::invalid_argument(whole + " names no device");
  name.port = number(taken_up_to(text, ':'), 1, "port");
  name.rail = number(taken_up_to(text, ':'), 0, "rail");
  name.plane = number(taken_up_to(text, ':'), 0, "plane");
  if (!text.empty()) {
    throw std::invalid_argument(whole + " has more than a device, a port, a rail and a plane");
  }
  if (name.plane && !name.rail) {
    throw std::invalid_argument(whole + " says a plane, and not of which rail");
  }
  return name;
}

PortPattern::PortPattern(std::string_view text) : text_(text) {
  negated_ = taken(text, '^');
  exact_ = taken(text, '=');
  while (!text.empty()) {
    const std::string_view name = taken_up_to(text, ',');
    if (!name.empty()) names_.push_back(parse_port_name(name));
  }
  if (names_.empty()) throw std::invalid_argument("'" + text_ + "' names no device");
  check_rails();
}

void PortPattern::check_rails() const {
  const auto named = std::ranges::count_if(names_, [](const auto& name) { return !!name.rail; });
  if (named == 0) return;
  if (negated_) {
    throw std::invalid_argument("'" + text_ + "' says rails of ports that it leaves out (^)");
  }
  if (named < std::ssize(names_)) {
    throw std::invalid_argument("'" + text_ + "' says the rails of some ports only");
  }
}

bool PortPattern::matches(const std::string& device, int port) const {
  const bool named = std::ranges::any_of(names_, [&](const PortName& name) {
    const bool alike = exact_ ? device == name.device : device.starts_with(name.device);
    return alike && name.port.value_or(port) == port;
  });
  return named != negated_;
}

}  // namespace railgauge::topology
