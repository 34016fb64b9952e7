#include "isolation/switch_names.hpp"

#include <arpa/inet.h>
#include <netdb.h>

#include <array>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "fabric/addresses.hpp"
#include "isolation/findings.hpp"

namespace railgauge::isolation {
namespace {

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
  auto described = fabric::described::fabric_in(text);
  fabric::described::fill_in_switches(described);
  for (const auto& one : described.switches) names_.emplace(one.address, one.name);
  for (const auto& link : switch_links(described)) uplinks_[link.lower].insert(link.upper);
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
