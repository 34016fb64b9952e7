#include "runner/port_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "telemetry/meaning.hpp"

namespace railgauge::runner {
namespace {

using results::PortEvents;
using telemetry::Counted;

constexpr std::size_t kMostPorts = 8;

/// Of one class of counters, the one that moved most.
struct Most {
  std::string name{};
  std::int64_t by = 0;
};

std::map<Counted, Most> most_of(const PortEvents& port) {
  std::map<Counted, Most> all;
  for (const auto& [name, by] : port.moved) {
    const auto meaning = telemetry::meaning_of(name);
    if (!meaning || meaning->microseconds || by <= 0) continue;
    Most& most = all[meaning->counted];
    if (by > most.by) most = {name, by};
  }
  return all;
}

std::int64_t faults(const PortEvents& port) {
  std::int64_t sum = 0;
  for (const auto& [counted, most] : most_of(port)) {
    if (telemetry::is_fault(counted)) sum += most.by;
  }
  return sum;
}

/// "93,122"
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  constexpr std::ptrdiff_t kGroup = 3;
  for (auto at = std::ssize(text) - kGroup; at > 0; at -= kGroup) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string packets(const PortEvents& port) {
  std::string text;
  if (port.packets_sent) text = ", of " + grouped(*port.packets_sent) + " packets sent";
  if (!port.packets_received) return text;
  return text + (text.empty() ? ", of " : " and ") + grouped(*port.packets_received) +
         (text.empty() ? " packets" : "") + " received";
}

std::string line_of(const PortEvents& port) {
  std::string text = port.host + " " + port.device;
  if (!port.address.empty()) text += " " + port.address;
  if (port.rail) text += " (rail " + std::to_string(*port.rail) + ")";
  text += " counted:";
  const char* separator = " ";
  for (const auto& [counted, most] : most_of(port)) {
    text += separator;
    text.append(telemetry::word(counted)).append(" ").append(grouped(most.by));
    text += " (" + most.name + ")";
    separator = ", ";
  }
  return text + packets(port);
}

}  // namespace

std::vector<std::string> port_lines(const std::vector<PortEvents>& events) {
  std::vector<const PortEvents*> sorted;
  for (const PortEvents& port : events) {
    if (!most_of(port).empty()) sorted.push_back(&port);
  }
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const PortEvents* port) { return faults(*port); });
  std::vector<std::string> lines;
  for (const PortEvents* port : sorted) {
    if (lines.size() == kMostPorts) {
      lines.push_back("and " + std::to_string(sorted.size() - kMostPorts) +
                      " more ports counted something; the document (-J) has all");
      break;
    }
    lines.push_back(line_of(*port));
  }
  return lines;
}

}  // namespace railgauge::runner
