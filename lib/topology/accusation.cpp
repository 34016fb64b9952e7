#include "topology/accusation.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>

namespace railgauge::topology {

void Accusations::add(const std::string& host, const std::string& device, int port,
                      const RailPlane& place, const std::string& one, const std::string& many) {
  auto found = std::ranges::find_if(
      all_, [&](const Accusation& other) { return other.host == host && other.one == one; });
  if (found == all_.end()) {
    all_.push_back({host, one, many, {}, {}, {}});
    found = std::prev(all_.end());
  }
  const auto known = std::ranges::find(found->devices, device);
  if (known == found->devices.end()) {
    found->devices.push_back(device);
    found->ports.push_back({port});
  } else {
    found->ports[static_cast<std::size_t>(known - found->devices.begin())].push_back(port);
  }
  found->places.push_back(place);
}

namespace {

std::vector<std::string> texts(const std::vector<int>& numbers) {
  std::vector<std::string> all;
  all.reserve(numbers.size());
  for (const int number : numbers) all.push_back(std::to_string(number));
  return all;
}

/// "mlx5_0", "mlx5_0 port 2", "mlx5_0 ports 3, 6 and 9"
std::string ports_text(const std::string& device, const std::vector<int>& ports) {
  return ports.size() == 1 ? port_name(device, ports[0])
                           : device + " ports " + listed(texts(ports));
}

}  // namespace

std::vector<std::string> Accusations::sentences() const {
  std::vector<std::string> sentences;
  for (const Accusation& one : all_) {
    std::string devices;
    for (std::size_t i = 0; i < one.devices.size(); ++i) {
      devices += (devices.empty() ? "" : ", ") + ports_text(one.devices[i], one.ports[i]);
    }
    sentences.push_back(one.host + " " + devices + " (" + rails_text(one.places) + ")" +
                        (one.places.size() == 1 ? one.one : one.many));
  }
  return sentences;
}

std::string rails_text(std::vector<int> rails) {
  std::ranges::sort(rails);
  if (rails.size() == 1) return "rail " + std::to_string(rails[0]);
  if (rails.size() > 2 && rails.back() - rails.front() + 1 == std::ssize(rails)) {
    return "rails " + std::to_string(rails.front()) + " to " + std::to_string(rails.back());
  }
  return "rails " + listed(texts(rails));
}

namespace {

/// "rail 3", "rail 3 plane 1", "rail 3 planes 0 and 1"
std::string planes_text(int rail, const std::vector<RailPlane>& of_rail, bool whole) {
  std::string text = "rail " + std::to_string(rail);
  if (whole) return text;
  std::vector<int> planes;
  planes.reserve(of_rail.size());
  for (const RailPlane& one : of_rail) planes.push_back(one.plane);
  return text + (planes.size() == 1 ? " plane " : " planes ") + listed(texts(planes));
}

}  // namespace

std::string rails_text(std::vector<RailPlane> places, bool name_planes) {
  std::ranges::sort(places);
  std::map<int, std::vector<RailPlane>> of_rails;
  std::set<int> planes;
  for (const RailPlane& place : places) {
    of_rails[place.rail].push_back(place);
    planes.insert(place.plane);
  }
  std::vector<int> rails;
  std::vector<std::string> parts;
  bool all_whole = true;
  for (const auto& [rail, of_rail] : of_rails) {
    const int all = of_rail.front().planes;
    const bool whole = std::ssize(of_rail) == all && (all == 1 || !name_planes);
    rails.push_back(rail);
    parts.push_back(planes_text(rail, of_rail, whole));
    all_whole = all_whole && whole;
  }
  if (all_whole) return rails_text(rails);
  if (rails.size() == 1 || planes.size() > 1) return listed(parts);
  return "plane " + std::to_string(*planes.begin()) + " of " + rails_text(rails);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string place_of(const Host& host, const Nic& nic) {
  return host.name + " " + name_of(nic) + " (" + rail_text(rail_plane_of(nic)) + ")";
}

Nic whole_device(Nic nic) {
  nic.port = 1;
  nic.planes = 1;
  return nic;
}

}  // namespace railgauge::topology
