#include "topology/rail_map.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

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

/// Empty if it is no number from `least` on.
std::optional<int> number(std::string_view text, int least) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  const bool whole = read.ec == std::errc{} && read.ptr == end && value >= least;
  return whole ? std::optional(value) : std::nullopt;
}

/// The number of one part of a name; empty if it is not said.
std::optional<int> part_number(std::string_view text, int least, const char* what) {
  if (text.empty()) return std::nullopt;
  if (const auto value = number(text, least)) return value;
  throw std::invalid_argument("'" + std::string(text) + "' is not a " + what + " number");
}

}  // namespace

PortName parse_port_name(std::string_view text) {
  const std::string whole = "'" + std::string(text) + "'";
  PortName name;
  name.device = taken_up_to(text, ':');
  if (name.device.empty()) throw std::invalid_argument(whole + " names no device");
  name.port = part_number(taken_up_to(text, ':'), 1, "port");
  name.rail = part_number(taken_up_to(text, ':'), 0, "rail");
  name.plane = part_number(taken_up_to(text, ':'), 0, "plane");
  if (!text.empty()) {
    throw std::invalid_argument(whole + " has more than a device, a port, a rail and a plane");
  }
  if (name.plane && !name.rail) {
    throw std::invalid_argument(whole + " says a plane, and not of which rail");
  }
  return name;
}

bool PortName::matches(const std::string& name, int number) const {
  const bool alike = prefix ? name.starts_with(device) : name == device;
  return alike && port.value_or(number) == number;
}

PortPattern::PortPattern(std::string_view text) : text_(text) {
  negated_ = taken(text, '^');
  const bool exact = taken(text, '=');
  while (!text.empty()) {
    const std::string_view name = taken_up_to(text, ',');
    if (name.empty()) continue;
    names_.push_back(parse_port_name(name));
    names_.back().prefix = !exact;
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
  const bool named =
      std::ranges::any_of(names_, [&](const PortName& name) { return name.matches(device, port); });
  return named != negated_;
}

namespace {

std::string without_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) kept += line.substr(0, line.find('#')) + " ";
  std::ranges::replace(kept, ',', ' ');
  return kept;
}

[[noreturn]] void refuse(const std::string& text) {
  throw std::invalid_argument("'" + text +
                              "' is not a rail map entry; expected a list like "
                              "mlx5_0=0,mlx5_1=1, or NCCL_IB_HCA's words with their rails");
}

/// "mlx5_0:2=0:1"
PortName entry_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse(text);
  const std::string place = text.substr(equals + 1);
  const std::size_t colon = place.find(':');
  PortName entry = parse_port_name(text.substr(0, equals));
  if (entry.rail) refuse(text);
  entry.rail = number(place.substr(0, colon), 0);
  if (colon != std::string::npos) entry.plane = number(place.substr(colon + 1), 0);
  if (!entry.rail || (colon != std::string::npos && !entry.plane)) refuse(text);
  return entry;
}

/// "0", "0 plane 1"
std::string place_text(const PortName& entry) {
  const std::string rail = std::to_string(*entry.rail);
  return entry.plane ? rail + " plane " + std::to_string(*entry.plane) : rail;
}

void check_twice(const RailMap& map) {
  std::set<std::string> ports;
  std::map<int, std::vector<const PortName*>> of_rail;
  for (const PortName& entry : map) {
    if (!ports.insert(text_of(entry)).second) {
      throw std::invalid_argument("the rail map has " + text_of(entry) + " twice");
    }
    auto& before = of_rail[*entry.rail];
    for (const PortName* other : before) {
      if (entry.plane && other->plane && entry.plane != other->plane) continue;
      throw std::invalid_argument("the rail map has two ports on rail " + place_text(entry) +
                                  "; planes of one rail are written " + text_of(*other) + "=" +
                                  std::to_string(*entry.rail) + ":0," + text_of(entry) + "=" +
                                  std::to_string(*entry.rail) + ":1");
    }
    before.push_back(&entry);
  }
}

void check_gaps(const RailMap& map) {
  std::set<int> rails;
  for (const PortName& entry : map) rails.insert(*entry.rail);
  int next = 0;
  for (const int rail : rails) {  // in order
    if (rail == next++) continue;
    throw std::invalid_argument("the rail map has nothing on rail " + std::to_string(next - 1));
  }
}

RailMap checked(RailMap map) {
  if (map.empty()) throw std::invalid_argument("the rail map is empty");
  check_twice(map);
  check_gaps(map);
  return map;
}

/// Whether its entries are NCCL's: of ours each has a =, and not in front.
bool is_of_nccl(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t colon = text.find(':');
  return equals == 0 || (equals == std::string::npos && colon != std::string::npos);
}

/// Without blanks around it.
std::string trimmed(const std::string& text) {
  const char* const blanks = " \t\r\n,";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

}  // namespace

RailMap rail_map_of(const PortPattern& pattern) {
  return pattern.says_rails() ? checked(pattern.names()) : RailMap{};
}

NcclPorts nccl_ports(const char* value) {
  const std::string text = value == nullptr ? "" : value;
  if (text.empty()) return {};
  try {
    const PortPattern pattern(text);
    (void)rail_map_of(pattern);  // throws for rails that are no rails
    return {pattern, "rails are the ports of NCCL_IB_HCA=" + text + ", as no option names others"};
  } catch (const std::invalid_argument& error) {
    return {std::nullopt, "NCCL_IB_HCA=" + text + " is not followed: " + error.what()};
  }
}

RailMap rail_map_of_devices(const std::vector<std::string>& devices) {
  RailMap map;
  std::size_t said = 0;
  for (const std::string& device : devices) {
    // As in NCCL the = of whole names stands before the first of them.
    const bool marked = map.empty() && device.starts_with('=');
    if (device.starts_with('^')) {
      throw std::invalid_argument("'" + device + "': devices are named, not left out (^)");
    }
    PortName name = parse_port_name(marked ? device.substr(1) : device);
    said += name.rail ? 1 : 0;
    if (!name.rail) name.rail = static_cast<int>(map.size());
    map.push_back(std::move(name));
  }
  if (said > 0 && said < devices.size()) {
    throw std::invalid_argument("some devices say their rails, and some do not");
  }
  return map.empty() ? map : checked(std::move(map));
}

RailMap parse_rail_map(const std::string& text) {
  const std::string entries_text = trimmed(without_comments(text));
  if (is_of_nccl(entries_text)) {
    std::string list = entries_text;
    std::ranges::replace(list, ' ', ',');
    const PortPattern pattern(list);
    if (!pattern.says_rails()) refuse(entries_text);
    return rail_map_of(pattern);
  }
  std::istringstream entries(entries_text);
  RailMap map;
  for (std::string one; entries >> one;) map.push_back(entry_of(one));
  std::stable_partition(map.begin(), map.end(),
                        [](const PortName& entry) { return entry.port.has_value(); });
  return checked(std::move(map));
}

RailMap load_rail_map(const std::string& text_or_file) {
  const auto has = [&](char mark) { return text_or_file.find(mark) != std::string::npos; };
  if (has('=') || (has(':') && !has('/'))) return parse_rail_map(text_or_file);
  std::ifstream file(text_or_file);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::invalid_argument("cannot read the rail map " + text_or_file);
  return parse_rail_map(text.str());
}

std::optional<RailPlane> mapped_place(const RailMap& map, const std::string& device, int port) {
  const auto found =
      std::ranges::find_if(map, [&](const PortName& entry) { return entry.matches(device, port); });
  if (found == map.end()) return std::nullopt;
  return RailPlane{found->rail.value_or(0), found->plane.value_or(-1)};
}

std::string text_of(const PortName& port) {
  return port.port ? port.device + ":" + std::to_string(*port.port) : port.device;
}

}  // namespace railgauge::topology
