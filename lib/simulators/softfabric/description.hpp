#pragma once

#include <string>

#include "fabric/description.hpp"

// lib/simulators/softfabric holds the switches of a fabric on one machine. It knows Ethernet, IP,
// UDP and BTH headers; it must not know verbs, nor anything else of railgauge but how a fabric is
// described (lib/fabric).

namespace railgauge::softfabric {

using fabric::described::Balance;
using fabric::described::Fabric;
using fabric::described::Fault;
using fabric::described::Host;
using fabric::described::Link;
using fabric::described::LinkEnd;
using fabric::described::Priority;
using fabric::described::Switch;
using fabric::described::Switching;

/// Whether one machine can be this fabric: names that fit for netdevs, every host attached, a
/// buffer that holds a packet, faults that softswitch knows. Throws std::runtime_error with the
/// place of the first mistake.
void check_buildable(const Fabric& fabric);

/// The fabric of a file, if one machine can be it, with what may be left out filled in, addresses
/// included. Throws std::runtime_error: the file's name, and one sentence.
Fabric read_fabric(const std::string& path);

}  // namespace railgauge::softfabric
