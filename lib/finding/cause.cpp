#include "finding/cause.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>

#include "json/members.hpp"

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
using enum Nature;
using enum Severity;

static_assert(kCauses <= 64, "a mask has a bit for each");

/// In the order of Cause.
constexpr std::array<CauseFacts, kCauses> kTable{{
    {"missing-rail", "missing rail", error, cause, "", mask({unreachable, bandwidth})},
    {"extra-nic", "more NICs than the other hosts", error, cause, "", kNothing},
    {"missing-plane", "missing plane", warning, cause, "", mask({bandwidth})},
    {"wrong-subnet", "wrong subnet", error, cause, "", mask({unreachable})},
    {"crossed-rails", "crossed rails", error, cause, "", mask({unreachable})},
    {"duplicate-address", "duplicate address", error, cause, "", mask({unreachable, packet_loss})},
    {"unusable-address", "unusable address", error, cause, "", mask({unreachable})},
    {"duplicate-guid", "duplicate GUID", error, cause, "look for a cloned configuration", kNothing},
    {"duplicate-name", "duplicate host name", error, cause, "", kNothing},
    {"bond", "bond on one host only", error, cause, "take the bond apart", mask({unreachable})},
    {"link-speed", "slow link", error, cause, kCable, mask({bandwidth})},
    {"pcie-link", "slow PCIe link", error, cause, "", mask({bandwidth})},
    {"numa-node", "different NUMA node", error, cause, "", mask({bandwidth, latency})},
    {"mtu", "different MTU", warning, cause,
     "set the same MTU on all ports of the rail and on its switches",
     mask({packet_loss, unreachable, time_out})},
    {"firmware", "different firmware", warning, cause, "install the same version on all of them",
     kNothing},
    {"nic-model", "different NIC model", warning, cause, "", kNothing},
    {"rail-numbering", "rail numbering is a guess", info, cause, "", kNothing},
    {"routing", "wrong route", error, cause, "", mask({unreachable, packet_loss})},
    {"roce-setting", "unsuitable RoCE setting", warning, cause, "",
     mask({packet_loss, congestion, pause, bandwidth, latency})},
    {"host-setting", "unsuitable host setting", warning, cause, "",
     mask({slow_processor, descheduled, bandwidth, latency, jitter})},
    {"software-version", "different software", warning, cause,
     "install the same version on all hosts", kNothing},
    {"unreachable", "unreachable", error, symptom, "check link state, routes and VLAN",
     mask({time_out, packet_loss, retransmission})},
    {"link-down", "link went down", error, cause, kCable,
     mask({unreachable, packet_loss, retransmission, latency, bandwidth, jitter, time_out})},
    {"packet-loss", "packet loss", error, symptom, kCable,
     mask({retransmission, latency, bandwidth, jitter, time_out})},
    {"corruption", "packet corruption (ICRC)", error, symptom, kCable,
     mask({packet_loss, retransmission, latency, bandwidth, jitter, time_out})},
    {"retransmission", "retransmissions", error, symptom, kCable,
     mask({latency, bandwidth, jitter})},
    {"reordering", "reordered packets", warning, symptom, "check load balancing on the path",
     mask({retransmission, latency, jitter})},
    {"duplication", "duplicated packets", error, symptom, "check the switches on the path",
     kNothing},
    {"congestion", "congestion", info, cause, "check ECN and PFC settings on the path",
     mask({latency, bandwidth, jitter})},
    {"pause", "paused by PFC", info, cause, "check what holds up the receiver",
     mask({latency, bandwidth, jitter})},
    {"latency", "high latency", error, symptom, kCable, mask({bandwidth})},
    {"bandwidth", "low bandwidth", error, symptom, kCable, kNothing},
    {"jitter", "jitter", error, symptom, kCable, kNothing},
    {"descheduled", "process descheduled", warning, cause,
     "check other load, throttling and CPU pinning of the host",
     mask({latency, bandwidth, jitter, slow_processor})},
    {"slow-processor", "slow processor", warning, cause,
     "check clock frequency, throttling and memory of the host",
     mask({latency, bandwidth, jitter})},
    {"process-lost", "process lost", error, cause, "check the host and its kernel log",
     mask({time_out, unreachable})},
    {"counter-reset", "counters reset", warning, cause, "check whether the driver was reloaded",
     kNothing},
    {"host-restarted", "host restarted", warning, cause, "check why the host went down",
     mask({counter_reset})},
    {"wrong-data", "wrong data", error, symptom,
     "check memory and firmware of hosts, NICs and switches on the path",
     mask({time_out, unreachable})},
    {"time-out", "time-out", error, symptom, "", kNothing},
    {"missing-result", "missing result", error, gap, "", kNothing},
    {"not-tested", "not tested", error, gap, "", kNothing},
    {"other", "other", error, gap, "", kNothing},
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
  return json::word_of<Severity::error>(severity, {"info", "warning", "error"});
}

}  // namespace railgauge::finding
