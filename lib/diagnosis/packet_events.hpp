#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "diagnosis/place.hpp"
#include "finding/finding.hpp"
#include "results/port_events.hpp"

namespace railgauge::diagnosis {

/// What happened to packets, told by what ports counted, and between which ports.
struct PacketFault {
  Place place;
  finding::Cause cause = finding::Cause::other;
  std::optional<double> share;  ///< of the packets that passed the place
  std::vector<finding::Evidence> evidence;
};

/// What ports counted in a row, and from which port to which its data went; acknowledgements go the
/// other way.
struct RowEvents {
  std::span<const results::PortEvents> events;
  std::set<Path> sent;
};

/// Which ports count is held against every place that they may have it from: the one that explains
/// most of them, and blames least, is named; then the next for what is left. What is counted in a
/// healthy run, too, is left out: what is sent again after a time-out although it had arrived.
[[nodiscard]] std::vector<PacketFault> find_packet_faults(const std::vector<RowEvents>& rows,
                                                          const Ports& ports);

}  // namespace railgauge::diagnosis
