#include "topology/accusation.hpp"

#include <algorithm>

namespace railgauge::topology {

void Accusations::add(const std::string& host, const std::string& device, int rail,
                      const std::string& one, const std::string& many) {
  auto found = std::ranges::find_if(
      all_, [&](const Accusation& other) { return other.host == host && other.one == one; });
  if (found == all_.end()) {
    all_.push_back({host, one, many, {}, {}});
    found = std::prev(all_.end());
  }
  found->devices.push_back(device);
  found->rails.push_back(rail);
}

std::vector<std::string> Accusations::sentences() const {
  std::vector<std::string> sentences;
  for (const Accusation& one : all_) {
    std::string devices;
    for (const std::string& device : one.devices) devices += (devices.empty() ? "" : ", ") + device;
    sentences.push_back(one.host + " " + devices + " (" + rails_text(one.rails) + ")" +
                        (one.devices.size() == 1 ? one.one : one.many));
  }
  return sentences;
}

std::string rails_text(std::vector<int> rails) {
  std::ranges::sort(rails);
  if (rails.size() == 1) return "rail " + std::to_string(rails[0]);
  if (rails.size() > 2 && rails.back() - rails.front() + 1 == std::ssize(rails)) {
    return "rails " + std::to_string(rails.front()) + " to " + std::to_string(rails.back());
  }
  std::vector<std::string> numbers;
  numbers.reserve(rails.size());
  for (const int rail : rails) numbers.push_back(std::to_string(rail));
  return "rails " + listed(numbers);
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
  return host.name + " " + name_of(nic) + " (rail " + std::to_string(nic.rail) + ")";
}

}  // namespace railgauge::topology
