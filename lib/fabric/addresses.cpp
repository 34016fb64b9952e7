#include "fabric/addresses.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <stdexcept>

namespace railgauge::fabric::described {
namespace {

constexpr std::size_t kMostPortNames = 200;      // 10.10.0.0 to 10.209.0.0
constexpr std::size_t kMostSubnetHosts = 254;    // of a /24
constexpr std::size_t kMostRoutedHosts = 32768;  // pairs in a /16
constexpr std::size_t kMostSwitches = 254;       // of one tier

std::string dotted(std::size_t second, std::size_t third, std::size_t fourth) {
  return "10." + std::to_string(second) + "." + std::to_string(third) + "." +
         std::to_string(fourth);
}

/// Names of the hosts' ports and of hosts, in order.
struct Numbering {
  std::vector<std::string> ports{};
  std::vector<std::string> hosts{};
};

std::size_t place_in(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

std::string subnet_address(std::size_t port, std::size_t host) {
  if (host >= kMostSubnetHosts) {
    throw std::runtime_error("hosts: a subnet has room for 254: use \"addressing\": \"routed\"");
  }
  return dotted(10 + port, 0, host + 1) + "/24";
}

std::string routed_address(std::size_t port, std::size_t host) {
  if (host >= kMostRoutedHosts) throw std::runtime_error("hosts: there are more than 32768");
  return dotted(10 + port, 2 * host / 256, 2 * host % 256) + "/31";
}

void fill_in_end(const Fabric& fabric, Numbering& numbering, LinkEnd& end) {
  if (!is_host(fabric, end.node)) return;
  const std::size_t port = place_in(numbering.ports, end.port);
  if (!end.address.empty()) return;
  if (port >= kMostPortNames) throw std::runtime_error("links: hosts have more than 200 ports");
  const std::size_t host = place_in(numbering.hosts, end.node);
  end.address =
      fabric.addressing == "routed" ? routed_address(port, host) : subnet_address(port, host);
}

void fill_in_hosts(Fabric& fabric) {
  Numbering numbering;
  for (const Host& host : fabric.hosts) numbering.hosts.push_back(host.name);
  for (Link& link : fabric.links) {
    fill_in_end(fabric, numbering, link.a);
    fill_in_end(fabric, numbering, link.b);
  }
}

std::vector<Priority> default_priorities() {
  constexpr std::uint64_t kKmin = 50U << 10U;  // 2 ms at 200 Mbit/s
  constexpr std::uint64_t kKmax = 200U << 10U;
  return {{.priority = 0, .dscp = {0}, .lossless = false},
          {.priority = 3,
           .dscp = {24, 26},
           .lossless = true,
           .ecn_kmin_bytes = kKmin,
           .ecn_kmax_bytes = kKmax},
          {.priority = 6, .dscp = {48}, .lossless = false}};
}

/// Refuses what is no address, and what is there already.
void note(std::set<std::uint32_t>& seen, const std::string& place, const std::string& address) {
  const auto number = ipv4_of(address);
  if (!number) throw std::runtime_error(place + ": '" + address + "' is no IPv4 address");
  if (!seen.insert(*number).second) {
    throw std::runtime_error(place + ": " + address + " is there twice");
  }
}

void check_addresses(const Fabric& fabric) {
  std::set<std::uint32_t> seen;
  for (std::size_t at = 0; at < fabric.links.size(); ++at) {
    const std::string place = "links[" + std::to_string(at) + "].";
    const Link& link = fabric.links[at];
    if (!link.a.address.empty()) note(seen, place + "a_address", link.a.address);
    if (!link.b.address.empty()) note(seen, place + "b_address", link.b.address);
  }
  for (std::size_t at = 0; at < fabric.switches.size(); ++at) {
    note(seen, "switches[" + std::to_string(at) + "].address", fabric.switches[at].address);
  }
}

}  // namespace

void fill_in_switches(Fabric& fabric) {
  std::array<std::size_t, 4> seen{};
  for (Switch& one : fabric.switches) {
    const auto tier = static_cast<std::size_t>(one.tier);
    const std::size_t number = ++seen.at(tier);
    if (!one.address.empty()) continue;
    if (number > kMostSwitches) throw std::runtime_error("switches: more than 254 on one tier");
    one.address = dotted(255, tier, number);
  }
}

void fill_in(Fabric& fabric) {
  fill_in_hosts(fabric);
  fill_in_switches(fabric);
  check_addresses(fabric);
  if (fabric.switching.priorities.empty()) fabric.switching.priorities = default_priorities();
}

std::optional<std::uint32_t> ipv4_of(std::string_view address) {
  const std::size_t slash = address.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view length = address.substr(slash + 1);
    int bits = -1;
    const auto [end, error] = std::from_chars(length.begin(), length.end(), bits);
    if (error != std::errc{} || end != length.end() || bits < 0 || bits > 32) return std::nullopt;
  }
  in_addr parsed{};
  const std::string text{address.substr(0, slash)};
  if (inet_pton(AF_INET, text.c_str(), &parsed) != 1) return std::nullopt;
  return ntohl(parsed.s_addr);
}

}  // namespace railgauge::fabric::described
