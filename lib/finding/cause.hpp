#pragma once

#include <cstdint>
#include <string_view>

// lib/finding holds what a test says about a fabric: one type from the first suspicion to the exit
// status. It must not know any test, MPI, devices or HTML, and of JSON only json/members.hpp.

namespace railgauge::finding {

/// What a finding costs if it is true.
enum class Severity : std::uint8_t {
  info,     ///< worth knowing; nothing to repair
  warning,  ///< a risk, or a difference between hosts that need not matter
  error,    ///< the fabric or a host is not fit to carry the traffic
};

/// What is wrong. A closed list; cause.cpp has one row for each with its words and its defaults.
enum class Cause : std::uint8_t {
  // Configuration.
  missing_rail,
  extra_nic,
  missing_plane,
  wrong_subnet,
  crossed_rails,
  duplicate_address,
  unusable_address,
  duplicate_guid,
  duplicate_name,
  bond,
  link_speed,
  pcie_link,
  numa_node,
  mtu,
  firmware,
  nic_model,
  rail_numbering,
  routing,
  roce_setting,
  host_setting,
  software_version,
  // Network.
  unreachable,
  link_down,
  packet_loss,
  corruption,
  retransmission,
  reordering,
  duplication,
  congestion,
  pause,
  latency,
  bandwidth,
  jitter,
  // Hosts.
  descheduled,
  slow_processor,
  process_lost,
  counter_reset,
  host_restarted,
  // The run itself.
  wrong_data,
  time_out,
  missing_result,
  not_tested,
  other,
};

/// How much a cause says.
enum class Nature : std::uint8_t {
  cause,    ///< what is wrong, or what makes the rest slow
  symptom,  ///< what traffic shows; what is wrong, and where, may be elsewhere
  gap,      ///< something is not known
};

/// What is known of a cause, whichever test finds it.
struct CauseFacts {
  std::string_view word;      ///< in documents and for programs: "packet-loss"
  std::string_view headline;  ///< for people: "packet loss"
  Severity severity = Severity::error;
  Nature nature = Nature::cause;
  std::string_view remedy;     ///< what to do, in the imperative; empty: it depends
  std::uint64_t explains = 0;  ///< bits of symptoms that it has at the same place
};

[[nodiscard]] const CauseFacts& facts_of(Cause cause);

/// Whether the symptom is what that cause does at the same place: packet loss makes a path slow.
[[nodiscard]] bool explains(Cause cause, Cause symptom);

/// "packet-loss"; "warning". Empty: the number is none of them.
[[nodiscard]] std::string_view word(Cause cause);
[[nodiscard]] std::string_view word(Severity severity);

}  // namespace railgauge::finding
