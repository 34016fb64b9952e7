#include "topology/rail_map.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace railgauge::topology {
namespace {

std::string without_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) kept += line.substr(0, line.find('#')) + " ";
  std::ranges::replace(kept, ',', ' ');
  return kept;
}

std::pair<std::string, int> entry_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  int rail = -1;
  if (equals != std::string::npos && equals > 0) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + equals + 1, end, rail);
    if (read.ec != std::errc{} || read.ptr != end) rail = -1;
  }
  if (rail < 0) {
    throw std::invalid_argument("'" + text +
                                "' is no entry of a rail map: it is mlx5_0=0,mlx5_1=1");
  }
  std::string port = text.substr(0, equals);
  if (port.ends_with(":1")) port.resize(port.size() - 2);
  return {port, rail};
}

void check_rails_of(const RailMap& map) {
  std::set<int> rails;
  for (const auto& [port, rail] : map) {
    if (!rails.insert(rail).second) {
      throw std::invalid_argument("the rail map has two ports on rail " + std::to_string(rail));
    }
  }
  if (rails.empty()) throw std::invalid_argument("the rail map is empty");
  int next = 0;
  for (const int rail : rails) {  // in order
    if (rail == next++) continue;
    throw std::invalid_argument("the rail map has nothing on rail " + std::to_string(next - 1));
  }
}

}  // namespace

RailMap parse_rail_map(const std::string& text) {
  std::istringstream entries(without_comments(text));
  RailMap map;
  for (std::string text_of_one; entries >> text_of_one;) {
    const auto entry = entry_of(text_of_one);
    if (!map.insert(entry).second) {
      throw std::invalid_argument("the rail map has " + entry.first + " twice");
    }
  }
  check_rails_of(map);
  return map;
}

RailMap load_rail_map(const std::string& text_or_file) {
  if (text_or_file.find('=') != std::string::npos) return parse_rail_map(text_or_file);
  std::ifstream file(text_or_file);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::invalid_argument("cannot read the rail map " + text_or_file);
  return parse_rail_map(text.str());
}

std::optional<int> mapped_rail(const RailMap& map, const std::string& device, int port) {
  const auto found = map.find(port == 1 ? device : device + ":" + std::to_string(port));
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace railgauge::topology
