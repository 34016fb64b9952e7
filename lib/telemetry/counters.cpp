#include "telemetry/counters.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <system_error>

#include "telemetry/meaning.hpp"

namespace railgauge::telemetry {
namespace {

namespace fs = std::filesystem;

/// One decimal number and a line end; anything else ("N/A (no PMA)", an I/O error) is no counter.
/// Not by a stream: it is read every few milliseconds beside a measurement.
std::optional<std::uint64_t> read_number(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  std::array<char, 64> text{};
  const ssize_t bytes = read(descriptor, text.data(), text.size());
  close(descriptor);
  const char* const end = std::find(text.data(), text.data() + std::max<ssize_t>(bytes, 0), '\n');
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

using Files = std::vector<std::pair<std::string, fs::path>>;

void add_files(const fs::path& directory, Files& files) {
  std::error_code missing;  // a device without this kind of counters has no such directory
  for (const auto& entry : fs::directory_iterator(directory, missing)) {
    const std::string name = entry.path().filename();
    if (name != "lifespan") files.emplace_back(name, entry.path());
  }
}

bool has_one_port(const fs::path& device) {
  std::error_code missing;
  return std::distance(fs::directory_iterator(device / "ports", missing), {}) == 1;
}

}  // namespace

CounterFiles::CounterFiles(const std::string& device, int port, const IsWanted& is_wanted,
                           const fs::path& sysfs) {
  const fs::path of_device = sysfs / "class/infiniband" / device;
  const fs::path of_port = of_device / "ports" / std::to_string(port);
  add_files(of_port / "hw_counters", files_);
  add_files(of_port / "counters", files_);
  if (!files_.empty() && has_one_port(of_device)) add_files(of_device / "hw_counters", files_);
  std::erase_if(files_, [&](const auto& file) { return !is_wanted(file.first); });
}

/// The first of a name counts.
Counters CounterFiles::read() const {
  Counters counters;
  for (const auto& [name, path] : files_) {
    if (counters.contains(name)) continue;
    if (const auto value = read_number(path)) counters.emplace(name, *value);
  }
  return counters;
}

std::chrono::milliseconds refresh_time(const std::string& device, int port, const fs::path& sysfs) {
  constexpr std::chrono::milliseconds kTick{10};  // the longest that kernels are built with, HZ=100
  constexpr std::chrono::milliseconds kMost{1000};  // an operator may set ten seconds
  const fs::path of_device = sysfs / "class/infiniband" / device;
  std::uint64_t longest = 0;
  for (const fs::path& folder : {of_device / "ports" / std::to_string(port), of_device})
    longest = std::max(longest, read_number(folder / "hw_counters/lifespan").value_or(0));
  if (longest == 0) return std::chrono::milliseconds(0);
  return std::min(std::chrono::milliseconds(longest) + kTick, kMost);
}

Counters read_counters(const std::string& device, int port, const fs::path& sysfs) {
  return CounterFiles(
             device, port, [](std::string_view) { return true; }, sysfs)
      .read();
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
