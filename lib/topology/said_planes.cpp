// number_said_planes() of planes.hpp.

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "topology/planes.hpp"

namespace railgauge::topology {
namespace {

/// The NICs of each rail of a host whose planes are open, the idle ones too.
using Open = std::map<int, std::vector<Nic*>>;

Open open_of(Host& host) {
  Open open;
  for (Nic& nic : host.rails) {
    if (nic.plane < 0) open[nic.rail].push_back(&nic);
  }
  return open;
}

std::vector<int> ports_of(const Host& host, const std::vector<Nic*>& nics) {
  std::vector<int> ports;
  for (const Nic* nic : nics) {
    if (!is_left_out(host, *nic)) ports.push_back(nic->port);
  }
  std::ranges::sort(ports);
  return ports;
}

/// The ports that most rails use, where all planes of a rail are ports of one device.
std::vector<int> usual_ports(std::vector<Host>& hosts) {
  std::vector<std::vector<int>> all;
  for (Host& host : hosts) {
    for (const auto& [rail, nics] : open_of(host)) {
      const std::string& device = nics.front()->device;
      const bool one =
          std::ranges::all_of(nics, [&](const Nic* nic) { return nic->device == device; });
      if (one) all.push_back(ports_of(host, nics));
    }
  }
  return majority(all).value_or(std::vector<int>{});
}

void add_said_ports(std::vector<Host>& hosts, const RailMap& map) {
  for (Host& host : hosts) {
    for (const LeftOut& port : host.left_out) {
      const auto place = mapped_place(map, port.device, port.port);
      if (!place || port.remedy.empty()) continue;
      host.rails.push_back({.device = port.device,
                            .port = port.port,
                            .netdev = port.netdev,
                            .pci = port.pci,
                            .rail = place->rail,
                            .plane = place->plane});
    }
    host.rails = in_rail_order(std::move(host.rails));
  }
}

void check_places(const Host& host, std::set<std::pair<int, int>>& taken) {
  std::map<std::pair<int, int>, const Nic*> nics;
  for (const Nic& nic : host.rails) {
    if (is_left_out(host, nic)) continue;
    const auto [other, free] = nics.try_emplace({nic.rail, nic.plane}, &nic);
    taken.insert(other->first);
    if (free) continue;
    throw std::invalid_argument(host.name + ": " + name_of(*other->second) + " and " +
                                name_of(nic) + " are both said to be rail " +
                                std::to_string(nic.rail) + " plane " + std::to_string(nic.plane) +
                                "; name ports, and whole names of devices (=)");
  }
}

/// Of the idle ports at one place one is enough, and none where a port is in use.
void keep_one_at_each_place(Host& host) {
  std::set<std::pair<int, int>> taken;
  check_places(host, taken);
  std::erase_if(host.rails, [&](const Nic& nic) {
    return is_left_out(host, nic) && !taken.insert({nic.rail, nic.plane}).second;
  });
}

}  // namespace

void number_said_planes(std::vector<Host>& hosts, const RailMap& map) {
  add_said_ports(hosts, map);
  const std::vector<int> usual = usual_ports(hosts);
  for (Host& host : hosts) {
    for (auto& [rail, nics] : open_of(host)) {
      const auto is_usual = [&](int port) { return std::ranges::count(usual, port) > 0; };
      const std::vector<int> ports = ports_of(host, nics);
      const bool as_usual = std::ranges::all_of(ports, is_usual);
      int next = 0;
      for (Nic* nic : nics) {
        if (as_usual && is_usual(nic->port)) {
          const auto found = std::ranges::find(usual, nic->port);
          nic->plane = static_cast<int>(found - usual.begin());
        } else if (!is_left_out(host, *nic)) {
          nic->plane = next++;
        }
      }
    }
    std::erase_if(host.rails, [](const Nic& nic) { return nic.plane < 0; });
    keep_one_at_each_place(host);
  }
}

}  // namespace railgauge::topology
