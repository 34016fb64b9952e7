#pragma once

// lib/paths holds which way through a fabric a flow takes, as its switches tell it, and which
// source ports take different ones. It must not know verbs, MPI, or what is sent along the paths.

#include <cstdint>

namespace railgauge::paths {

/// The UDP port that RoCE v2 sends to (InfiniBand volume 1, annex A17).
inline constexpr std::uint16_t kRocePort = 4791;
/// Queue pairs send from this port or a higher one.
inline constexpr std::uint16_t kFirstSourcePort = 0xc000;

/// The source port of a queue pair whose flow label is not 0, by the rule that Linux has for all
/// its drivers (rdma_flow_label_to_udp_sport() in include/rdma/ib_verbs.h): the label's upper 6
/// bits folded into its lower 14.
[[nodiscard]] std::uint16_t port_of_flow_label(std::uint32_t flow_label);

/// A flow label, never 0, that makes a queue pair send from this port. Throws std::invalid_argument
/// below 49152, which no flow label makes.
[[nodiscard]] std::uint32_t flow_label_of_port(std::uint16_t port);

}  // namespace railgauge::paths
