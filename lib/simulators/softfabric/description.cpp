#include "softfabric/description.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "fabric/addresses.hpp"
#include "softfabric/faults.hpp"

namespace railgauge::softfabric {
namespace {

constexpr std::size_t kLongestName = 15;   // of a netdev: IFNAMSIZ - 1
constexpr std::size_t kLongestHost = 64;   // of uname(2): __NEW_UTS_LEN
constexpr std::size_t kMostLinks = 65536;  // mac_address() has two bytes for them

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
  throw std::runtime_error(place + ": " + why);
}

std::string element(const char* list, std::size_t at) {
  return std::string{list} + "[" + std::to_string(at) + "]";
}

bool is_plain(unsigned char letter) {
  return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
}

void check_name(const std::string& place, const std::string& name) {
  const bool plain = std::ranges::all_of(name, is_plain);
  if (!plain || name.empty() || name[0] == '-' || name.size() > kLongestName) {
    refuse(place, "'" + name + "' must be 1 to 15 letters, digits, - and _");
  }
}

/// Of hosts and of switches' ports, which are often called as the host there: "gpu-1.rack-a". They
/// name no netdev.
void check_long_name(const std::string& place, const std::string& name) {
  const std::string labels = "." + name + ".";
  const bool plain = std::ranges::all_of(
      name, [](unsigned char letter) { return is_plain(letter) || letter == '.'; });
  if (!plain || labels.find("..") != std::string::npos || labels.find(".-") != std::string::npos ||
      name.size() > kLongestHost) {
    refuse(place, "'" + name +
                      "' must be 1 to 64 letters, digits, - and _, with single dots between them");
  }
}

void check_port(const Fabric& fabric, const std::string& place, const LinkEnd& end) {
  if (!is_host(fabric, end.node)) return check_long_name(place, end.port);
  check_name(place, end.port);
  if (end.port == "lo" || end.port == "mgmt") {
    refuse(place, "'" + end.port + "' is not a name for a host's port");
  }
}

void check_names(const Fabric& fabric) {
  if (fabric.hosts.empty()) refuse("hosts", "there are none");
  if (fabric.links.size() > kMostLinks) refuse("links", "there are more than 65536");
  for (std::size_t at = 0; at < fabric.hosts.size(); ++at) {
    check_long_name(element("hosts", at) + ".name", fabric.hosts[at].name);
  }
  for (std::size_t at = 0; at < fabric.switches.size(); ++at) {
    check_name(element("switches", at) + ".name", fabric.switches[at].name);
  }
  for (std::size_t at = 0; at < fabric.links.size(); ++at) {
    check_port(fabric, element("links", at) + ".a_port", fabric.links[at].a);
    check_port(fabric, element("links", at) + ".b_port", fabric.links[at].b);
  }
}

void check_attached(const Fabric& fabric) {
  for (std::size_t at = 0; at < fabric.hosts.size(); ++at) {
    const std::string& name = fabric.hosts[at].name;
    if (std::ranges::none_of(fabric.links, [&](const Link& link) {
          return link.a.node == name || link.b.node == name;
        })) {
      refuse(element("hosts", at), name + " has no link");
    }
  }
}

void check_buffer(const Fabric& fabric) {
  const Switching& switching = fabric.switching;
  std::uint64_t least = switching.buffer_bytes;
  for (const Switch& one : fabric.switches)
    least = std::min(least, one.buffer_bytes.value_or(least));
  const double room = switching.dynamic_threshold * static_cast<double>(least);
  for (const Link& link : fabric.links) {
    if (room >= link.mtu_bytes) continue;
    refuse("switching", "buffer_bytes times dynamic_threshold must hold a packet of " +
                            std::to_string(link.mtu_bytes) + " bytes");
  }
}

void check_words(const std::vector<Fault>& faults) {
  for (std::size_t at = 0; at < faults.size(); ++at) {
    try {
      with_words({}, faults[at].fault);
    } catch (const std::runtime_error& error) {
      refuse(element("faults", at) + ".fault", error.what());
    }
  }
}

}  // namespace

void check_buildable(const Fabric& fabric) {
  check_names(fabric);
  check_attached(fabric);
  check_buffer(fabric);
  check_words(fabric.faults);
}

Fabric read_fabric(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  try {
    Fabric fabric =
        fabric::described::fabric_in(std::string(std::istreambuf_iterator<char>(file), {}));
    check_buildable(fabric);
    fill_in(fabric);
    return fabric;
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace railgauge::softfabric
