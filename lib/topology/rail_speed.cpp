#include "topology/rail_speed.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace railgauge::topology {
namespace {

std::string decimal(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

/// 0 if no speed is known.
double usual_speed(const std::vector<Host>& hosts) {
  std::map<double, int> times;
  for (const Host& host : hosts) {
    for (const Nic& nic : host.rails) ++times[nic.gigabits_per_second];
  }
  times.erase(0);
  double usual = 0;
  int most = 0;
  for (const auto& [speed, count] : times) {  // from the slowest
    if (count < most) continue;
    most = count;
    usual = speed;
  }
  return usual;
}

}  // namespace

std::vector<std::string> slow_rails(const std::vector<Host>& hosts) {
  const double usual = usual_speed(hosts);
  std::vector<std::string> slow;
  for (const Host& host : hosts) {
    for (std::size_t rail = 0; rail < host.rails.size(); ++rail) {
      const double speed = host.rails[rail].gigabits_per_second;
      if (speed == 0 || speed >= usual) continue;
      slow.push_back(host.name + " " + name_of(host.rails[rail]) + " (rail " +
                     std::to_string(rail) + ") is slow: its link runs at " + decimal(speed) +
                     " Gb/s, and not " + decimal(usual) +
                     " as others; look at its cable, transceiver and switch port");
    }
  }
  return slow;
}

}  // namespace railgauge::topology
