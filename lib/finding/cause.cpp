#include "finding/cause.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>

namespace railgauge::finding {
namespace {

constexpr std::size_t kCauses = static_cast<std::size_t>(Cause::other) + 1;

constexpr std::string_view kCable = "check cable, transceiver and switch port";

constexpr std::uint64_t mask(std::initializer_list<Cause> causes) {
  std::uint64_t bits = 0;
  for (const Cause cause : causes) bits |= std::uint64_t{1} << static_cast<unsigned>(cause);
  return bits;
}

constexpr std::uint64_t kNothing = 0;

using enum Cause;
using enum Severity;

static_assert(kCauses <= 64, "a mask has a bit for each");

/// In the order of Cause.
constexpr std::array<CauseFacts, kCauses> kTable{{
    {"missing-rail", "missing rail", error, "", mask({unreachable, bandwidth})},
    {"extra-nic", "more NICs than the other hosts", error, "", kNothing},
    {"missing-plane", "missing plane", warning, "", mask({bandwidth})},
    {"wrong-subnet", "wrong subnet", error, "", mask({unreachable})},
    {"crossed-rails", "crossed rails", error, "", mask({unreachable})},
    {"duplicate-address", "duplicate address", error, "", mask({unreachable, packet_loss})},
    {"unusable-address", "unusable address", error, "", mask({unreachable})},
    {"duplicate-guid", "duplicate GUID", error, "look for a cloned configuration", kNothing},
    {"duplicate-name", "duplicate host name", error, "", kNothing},
    {"bond", "bond on one host only", error, "take the bond apart", mask({unreachable})},
    {"link-speed", "slow link", error, kCable, mask({bandwidth})},
    {"pcie-link", "slow PCIe link", error, "", mask({bandwidth})},
    {"numa-node", "different NUMA node", error, "", mask({bandwidth, latency})},
    {"mtu", "different MTU", warning,
     "set the same MTU on all ports of the rail and on its switches",
     mask({packet_loss, unreachable})},
    {"firmware", "different firmware", warning, "install the same version on all of them",
     kNothing},
    {"nic-model", "different NIC model", warning, "", kNothing},
    {"rail-numbering", "rail numbering is a guess", info, "", kNothing},
    {"routing", "wrong route", error, "", mask({unreachable, packet_loss})},
    {"roce-setting", "unsuitable RoCE setting", warning, "",
     mask({packet_loss, congestion, pause, bandwidth, latency})},
    {"host-setting", "unsuitable host setting", warning, "",
     mask({slow_processor, descheduled, bandwidth, latency, jitter})},
    {"software-version", "different software", warning, "install the same version on all hosts",
     kNothing},
    {"unreachable", "unreachable", error, "check link state, routes and VLAN", mask({time_out})},
    {"link-down", "link went down", error, kCable,
     mask({unreachable, packet_loss, retransmission, latency, bandwidth, jitter})},
    {"packet-loss", "packet loss", error, kCable,
     mask({retransmission, latency, bandwidth, jitter})},
    {"corruption", "packet corruption (ICRC)", error, kCable,
     mask({packet_loss, retransmission, latency, bandwidth, jitter})},
    {"retransmission", "retransmissions", error, kCable, mask({latency, bandwidth, jitter})},
    {"reordering", "reordered packets", warning, "check load balancing on the path",
     mask({retransmission, latency, jitter})},
    {"duplication", "duplicated packets", error, "check the switches on the path", kNothing},
    {"congestion", "congestion", info, "check ECN and PFC settings on the path",
     mask({latency, bandwidth, jitter})},
    {"pause", "paused by PFC", info, "check what holds up the receiver",
     mask({latency, bandwidth, jitter})},
    {"latency", "high latency", error, kCable, kNothing},
    {"bandwidth", "low bandwidth", error, kCable, kNothing},
    {"jitter", "jitter", error, kCable, kNothing},
    {"descheduled", "process descheduled", warning,
     "check other load, throttling and CPU pinning of the host",
     mask({latency, bandwidth, jitter, slow_processor})},
    {"slow-processor", "slow processor", warning,
     "check clock frequency, throttling and memory of the host",
     mask({latency, bandwidth, jitter})},
    {"process-lost", "process lost", error, "check the host and its kernel log",
     mask({time_out, unreachable})},
    {"counter-reset", "counters reset", warning, "check whether the driver was reloaded", kNothing},
    {"host-restarted", "host restarted", warning, "check why the host went down",
     mask({counter_reset})},
    {"wrong-data", "wrong data", error,
     "check memory and firmware of hosts, NICs and switches on the path", kNothing},
    {"time-out", "time-out", error, "", kNothing},
    {"missing-result", "missing result", error, "", kNothing},
    {"not-tested", "not tested", error, "", kNothing},
    {"other", "other", error, "", kNothing},
}};

}  // namespace

const CauseFacts& facts_of(Cause cause) {
  return kTable.at(static_cast<std::size_t>(cause));
}

bool explains(Cause cause, Cause symptom) {
  return (facts_of(cause).explains & mask({symptom})) != 0;
}

std::string_view word(Cause cause) {
  return static_cast<std::size_t>(cause) < kCauses ? facts_of(cause).word : std::string_view();
}

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::info: return "info";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "";
}

}  // namespace railgauge::finding
