#include "softroce/engine/settings.hpp"

#include <sched.h>

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "softroce/faults/fault_keys.hpp"

namespace railgauge::softroce {

namespace {

constexpr int kMostSpinUs = 1000000;

std::string_view variable(const char* name) {
  // Read once, before there is a second thread of ours.
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::string_view{} : value;
}

[[noreturn]] void refuse(const char* name, std::string_view value, const std::string& takes) {
  throw std::invalid_argument(std::string(name) + " is '" + std::string(value) + "'; it takes " +
                              takes);
}

int number(const char* name, int otherwise, int least, int most) {
  const std::string_view text = variable(name);
  if (text.empty()) return otherwise;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
    refuse(name, text, "a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

bool flag(const char* name) {
  const std::string_view text = variable(name);
  if (!text.empty() && text != "0" && text != "1") refuse(name, text, "0 or 1");
  return text == "1";
}

std::vector<Address> addresses(int rails) {
  constexpr const char* kName = "SOFTROCE_ADDRESS";
  std::vector<Address> list;
  const std::string_view all = variable(kName);
  for (std::string_view rest = all; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    const auto address = parse_address(rest.substr(0, comma));
    if (!address) refuse(kName, all, "IP addresses of this host with commas between them");
    list.push_back(*address);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  if (!list.empty() && list.size() != static_cast<std::size_t>(rails)) {
    refuse(kName, all,
           "one address for each of " + std::to_string(rails) +
               " rails (SOFTROCE_RAILS says how many)");
  }
  return list;
}

/// A line rate for all rails, or one for each.
std::vector<double> rates(int rails) {
  constexpr const char* kName = "SOFTROCE_RATE";
  std::vector<double> list;
  const std::string_view all = variable(kName);
  for (std::string_view rest = all; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    const auto rate = parse_rate(rest.substr(0, comma));
    if (!rate) refuse(kName, all, "rates such as 200Mbit or 25Gbit, with commas between them");
    list.push_back(static_cast<double>(*rate));
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  if (list.size() > 1 && list.size() != static_cast<std::size_t>(rails)) {
    refuse(kName, all,
           "one rate, or one for each of " + std::to_string(rails) +
               " rails (SOFTROCE_RAILS says how many)");
  }
  return list;
}

Profile profile() {
  constexpr const char* kName = "SOFTROCE_LIKE";
  const std::string_view name = variable(kName);
  if (name.empty()) return {};
  const Profile* const found = profile_called(name);
  if (found == nullptr) refuse(kName, name, "one of " + profile_names());
  return *found;
}

bool dmabuf() {
  constexpr const char* kName = "SOFTROCE_DMABUF";
  const std::string_view text = variable(kName);
  if (!text.empty() && text != "on" && text != "off") refuse(kName, text, "on or off");
  return text != "off";
}

std::uint64_t dmabuf_limit() {
  constexpr const char* kName = "SOFTROCE_DMABUF_LIMIT";
  const std::string_view text = variable(kName);
  if (text.empty()) return Settings{}.dmabuf_limit;
  const auto bytes = parse_bytes(text);
  if (!bytes) refuse(kName, text, "a number of bytes, such as 1MiB");
  return *bytes;
}

/// An engine takes a thread, and only threads that drive different devices at a time gain by it.
int default_engines(int rails) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return CPU_COUNT(&allowed) >= 2 * rails ? rails : 1;
}

}  // namespace

Settings read_settings() {
  Settings settings;
  settings.rails = number("SOFTROCE_RAILS", 1, 1, kMostDevices);
  settings.engines = number("SOFTROCE_ENGINES", default_engines(settings.rails), 1, settings.rails);
  settings.addresses = addresses(settings.rails);
  settings.rates = rates(settings.rails);
  settings.capture = variable("SOFTROCE_PCAP");
  settings.print_counters = flag("SOFTROCE_COUNTERS");
  settings.any_order = flag("SOFTROCE_ANY_ORDER");
  settings.strict = flag("SOFTROCE_STRICT");
  settings.profile = profile();
  if (settings.strict) settings.profile.limits = smaller(settings.profile.limits, kStrictLimits);
  settings.dmabuf = dmabuf();
  settings.dmabuf_limit = dmabuf_limit();
  settings.shortcut = flag("SOFTROCE_SHORTCUT");
  settings.spin_us = number("SOFTROCE_SPIN_US", -1, 0, kMostSpinUs);
  return settings;
}

}  // namespace railgauge::softroce
