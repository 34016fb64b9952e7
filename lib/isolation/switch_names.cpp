#include "isolation/switch_names.hpp"

#include <arpa/inet.h>
#include <netdb.h>

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "isolation/findings.hpp"
#include "json/text.hpp"

namespace railgauge::isolation {
namespace {

using Json = nlohmann::ordered_json;

struct Described {
  std::string address{};
  int tier = 1;
};

/// By name. Those without an address have 10.255.TIER.n.
std::map<std::string, Described> switches_in(const Json& fabric) {
  std::map<std::string, Described> switches;
  std::map<int, int> number;
  for (const Json& one : fabric.at("switches")) {
    const int tier = one.value("tier", 1);
    const std::string usual =
        "10.255." + std::to_string(tier) + "." + std::to_string(++number[tier]);
    switches[one.at("name").get<std::string>()] = {one.value("address", usual), tier};
  }
  return switches;
}

std::map<std::string, std::string> names_in(std::string_view text) {
  std::map<std::string, std::string> names;
  std::istringstream lines{std::string(text)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string address;
    std::string name;
    if (!(words >> address)) continue;
    if (!(words >> name))
      throw std::runtime_error("line " + std::to_string(number) + ": an address without a name");
    names.emplace(address, name);
  }
  return names;
}

}  // namespace

SwitchNames::SwitchNames(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') {
    names_ = names_in(text);
    return;
  }
  const Json fabric = json::json_of_text(text);
  try {
    if (fabric.value("schema", "") != "railgauge/fabric/1")
      throw std::runtime_error("schema: it is no railgauge/fabric/1");
    const auto switches = switches_in(fabric);
    for (const auto& [name, one] : switches) names_.emplace(one.address, name);
    for (const Json& link : fabric.at("links")) {
      const auto a = switches.find(link.at("a").get<std::string>());
      const auto b = switches.find(link.at("b").get<std::string>());
      if (a == switches.end() || b == switches.end()) continue;  // a host's
      const bool up = a->second.tier < b->second.tier;
      uplinks_[(up ? a : b)->second.address].insert((up ? b : a)->second.address);
    }
  } catch (const Json::exception& error) {
    throw std::runtime_error(std::string("not as railgauge/fabric/1 has it: ") + error.what());
  }
}

SwitchNames SwitchNames::resolved(const std::vector<std::string>& addresses, const Resolve& resolve,
                                  std::chrono::seconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  SwitchNames names;
  for (const std::string& address : addresses) {
    if (std::chrono::steady_clock::now() > end) break;
    if (std::string name = resolve(address); !name.empty())
      names.names_.emplace(address, std::move(name));
  }
  return names;
}

void SwitchNames::name(Evidence& evidence) const {
  for (std::string& one : evidence.switches) one = named(one);
}

std::vector<std::string> SwitchNames::missing(const Evidence& evidence) const {
  const std::set<std::string> seen = switches_of(evidence, false);
  std::set<std::string> missing;
  for (const std::string& one : seen) {
    const auto uplinks = uplinks_.find(one);
    if (uplinks == uplinks_.end()) continue;
    for (const std::string& up : uplinks->second) {
      if (!seen.contains(up)) missing.insert(named(up));
    }
  }
  return {missing.begin(), missing.end()};
}

std::string SwitchNames::named(const std::string& address) const {
  const auto found = names_.find(address);
  return found == names_.end() ? address : found->second + " (" + address + ")";
}

std::string name_of_address(const std::string& address) {
  ::setenv("RES_OPTIONS", "timeout:1 attempts:1", 0);  // resolv.conf(5): else ten seconds for each
  sockaddr_in asked{};
  asked.sin_family = AF_INET;
  if (::inet_pton(AF_INET, address.c_str(), &asked.sin_addr) != 1) return "";
  std::array<char, NI_MAXHOST> name{};
  const int error = ::getnameinfo(reinterpret_cast<const sockaddr*>(&asked), sizeof asked,
                                  name.data(), name.size(), nullptr, 0, NI_NAMEREQD);
  return error == 0 ? name.data() : "";
}

}  // namespace railgauge::isolation
