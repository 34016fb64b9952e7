#include "telemetry/port_condition.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace railgauge::telemetry {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// The number that a text begins with.
template <class T>
std::optional<T> leading_number(std::string_view text) {
  T value{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{}) return std::nullopt;
  return value;
}

/// "4: ACTIVE".
std::string state_of(const std::string& line) {
  const std::size_t colon = line.find(": ");
  return colon == std::string::npos ? "" : line.substr(colon + 2);
}

bool is_temperature(const std::string& name) {
  return name.starts_with("temp") && name.ends_with("_input");
}

std::optional<double> hottest_of(const fs::path& monitor) {
  constexpr double kThousandths = 1e-3;
  std::optional<double> hottest;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(monitor, missing)) {
    if (!is_temperature(entry.path().filename())) continue;
    const auto value = leading_number<std::int64_t>(first_line(entry.path()));
    if (!value) continue;  // a cage without a module says so by an error
    const double celsius = kThousandths * static_cast<double>(*value);
    hottest = std::max(hottest.value_or(celsius), celsius);
  }
  return hottest;
}

std::optional<double> temperature_of(const fs::path& device) {
  std::optional<double> hottest;
  std::error_code missing;
  for (const auto& monitor : fs::directory_iterator(device / "hwmon", missing)) {
    const auto found = hottest_of(monitor.path());
    if (found) hottest = std::max(hottest.value_or(*found), *found);
  }
  return hottest;
}

/// "TOTAL_ERR_COR 7", below a line for each kind of error.
std::optional<std::uint64_t> total_of(const fs::path& file) {
  constexpr std::string_view kTotal = "TOTAL_ERR_";
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    if (!line.starts_with(kTotal) || space == std::string::npos) continue;
    return leading_number<std::uint64_t>(std::string_view(line).substr(space + 1));
  }
  return std::nullopt;
}

}  // namespace

PortCondition read_condition(const std::string& device, int port, const fs::path& sysfs) {
  const fs::path own = sysfs / "class/infiniband" / device;
  const fs::path of_port = own / "ports" / std::to_string(port);
  return {.state = state_of(first_line(of_port / "state")),
          .link_gigabits_per_second = leading_number<double>(first_line(of_port / "rate")),
          .temperature_celsius = temperature_of(own / "device")};
}

Counters read_host_counters(const std::string& device, const std::string& netdev,
                            const fs::path& sysfs) {
  constexpr std::array kErrors = {std::pair{"aer_dev_correctable", "aer_correctable"},
                                  std::pair{"aer_dev_nonfatal", "aer_nonfatal"},
                                  std::pair{"aer_dev_fatal", "aer_fatal"}};
  constexpr const char* kCarrier = "carrier_down_count";
  Counters counters;
  for (const auto& [file, name] : kErrors) {
    const auto total = total_of(sysfs / "class/infiniband" / device / "device" / file);
    if (total) counters.emplace(name, *total);
  }
  if (netdev.empty()) return counters;
  const auto downs =
      leading_number<std::uint64_t>(first_line(sysfs / "class/net" / netdev / kCarrier));
  if (downs) counters.emplace(kCarrier, *downs);
  return counters;
}

}  // namespace railgauge::telemetry
