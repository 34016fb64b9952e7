#include "telemetry/counters.hpp"

#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "telemetry/meaning.hpp"

namespace railgauge::telemetry {
namespace {

namespace fs = std::filesystem;

/// One decimal number and a line end; anything else ("N/A (no PMA)", an I/O error) is no counter.
std::optional<std::uint64_t> read_number(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  std::uint64_t value = 0;
  const char* const end = line.data() + line.size();
  const auto read = std::from_chars(line.data(), end, value);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return value;
}

void read_directory(const fs::path& directory, Counters& counters) {
  std::error_code missing;  // a device without this kind of counters has no such directory
  for (const auto& entry : fs::directory_iterator(directory, missing)) {
    const std::string name = entry.path().filename();
    if (name == "lifespan") continue;
    if (const auto value = read_number(entry.path())) counters.emplace(name, *value);
  }
}

bool has_one_port(const fs::path& device) {
  std::error_code missing;
  return std::distance(fs::directory_iterator(device / "ports", missing), {}) == 1;
}

}  // namespace

Counters read_counters(const std::string& device, int port, const fs::path& sysfs) {
  const fs::path of_device = sysfs / "class/infiniband" / device;
  const fs::path of_port = of_device / "ports" / std::to_string(port);
  Counters counters;
  read_directory(of_port / "hw_counters", counters);
  read_directory(of_port / "counters", counters);
  if (!counters.empty() && has_one_port(of_device)) {
    read_directory(of_device / "hw_counters", counters);
  }
  return counters;
}

std::map<std::string, std::int64_t> moved(const Counters& before, const Counters& after) {
  std::map<std::string, std::int64_t> differences;
  for (const auto& [name, now] : after) {
    const auto then = before.find(name);
    if (then == before.end() || then->second == now) continue;
    differences[name] = advance(name, then->second, now);
  }
  return differences;
}

}  // namespace railgauge::telemetry
