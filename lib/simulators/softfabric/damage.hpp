#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "softfabric/headers.hpp"

namespace railgauge::softfabric {

// Damage as lines and switches do it. The UDP checksum, where there is one, is made to match, as
// otherwise the receiver's kernel would drop what its device ought to find. `number` says which
// bit.

/// Flips a bit from the BTH's queue pair to the ICRC, so that the ICRC is wrong; in other packets
/// than RoCE's, any bit behind the IP header, and no checksum is changed. False if there is none.
bool corrupt(std::span<std::byte> frame, const Headers& headers, std::uint64_t number);

/// Flips a bit of the RDMA payload, and the ICRC is made to match: a switch or a NIC with bad
/// memory, which no check of a packet finds. False if there is no payload.
bool corrupt_payload(std::span<std::byte> frame, const Headers& headers, std::uint64_t number);

}  // namespace railgauge::softfabric
