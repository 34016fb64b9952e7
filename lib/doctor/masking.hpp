#pragma once

#include <string>

#include "topology/recording.hpp"

namespace railgauge::doctor {

/// Replaces addresses in a recording by others: the two middle bytes of IPv4, bytes 2 to 7 of
/// global IPv6, and the last three bytes of MAC addresses, GUIDs and what is made of them. What was
/// equal, or in one subnet, still is, also between recordings that are masked with the same word;
/// so checks find the same. Who does not know the word cannot undo it. Names of hosts stay.
void mask_addresses(topology::Recording& recording, const std::string& word);

}  // namespace railgauge::doctor
