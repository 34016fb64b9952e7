#include "doctor/history.hpp"

#include <charconv>

#include "telemetry/counters.hpp"

namespace railgauge::doctor {
namespace {

std::string folder_of(const std::string& device, int port) {
  return "counters/" + device + "/" + std::to_string(port);
}

telemetry::Counters counters_of(const HostFacts& host, const std::string& folder) {
  telemetry::Counters counters;
  const std::string prefix = folder + "/";
  const auto& files = host.recording.files;
  for (auto at = files.lower_bound(prefix); at != files.end(); ++at) {
    const auto& [path, text] = *at;
    if (!path.starts_with(prefix)) break;
    std::uint64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size())
      counters.emplace(path.substr(prefix.size()), value);
  }
  return counters;
}

/// Counters begin at 0 when a host starts.
bool has_restarted(const HostFacts& earlier, const HostFacts& later) {
  constexpr const char* kBoot = "proc/sys/kernel/random/boot_id";
  const std::string before = earlier.recording.line(kBoot);
  const std::string after = later.recording.line(kBoot);
  return !before.empty() && !after.empty() && before != after;
}

History unknown(std::string why) {
  return {.unknown = std::move(why)};
}

}  // namespace

History history_of(const HostFacts* earlier, const HostFacts& later, const std::string& device,
                   int port) {
  if (earlier == nullptr) return unknown("no earlier recording of this host");
  if (has_restarted(*earlier, later))
    return unknown("the host restarted between the recordings: its counters began at 0");
  const auto began = number_in(earlier->recording.line("proc/uptime"));
  const auto ended = number_in(later.recording.line("proc/uptime"));
  if (!began || !ended) return unknown(std::string(kNotRecorded) + "/proc/uptime");
  if (*ended <= *began)
    return unknown(
        "the recording of --from is no later than that of --since, or the host restarted");
  const std::string folder = folder_of(device, port);
  for (const HostFacts* const host : {earlier, &later}) {
    if (!host->recording.files.contains(folder))
      return unknown(std::string(kNotRecorded) + "counters of " + device);
  }
  telemetry::Counters before = counters_of(*earlier, folder);
  const telemetry::Counters after = counters_of(later, folder);
  // Netlink's are recorded once one of them counted (pfc_counters()).
  for (const auto& [name, value] : after) {
    if (name.starts_with("pfc_requests_prio") || name.starts_with("pfc_indications_prio"))
      before.try_emplace(name, 0);
  }
  History history{.seconds = *ended - *began, .moved = telemetry::moved(before, after)};
  for (const auto& [name, value] : before) {
    if (const auto meaning = telemetry::meaning_of(name)) history.counted.insert(meaning->counted);
  }
  return history;
}

}  // namespace railgauge::doctor
