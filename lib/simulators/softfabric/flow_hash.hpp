#pragma once

#include "softfabric/headers.hpp"
#include "softfabric/random.hpp"

namespace railgauge::softfabric {

/// What switches choose ports by: the 5-tuple and the switch's seed. Whoever knows these can
/// predict a path: the port is the hash modulo the number of equal-cost ports, in the order of the
/// links.
constexpr std::uint64_t flow_hash(const Headers& headers, std::uint64_t seed) {
  const std::uint64_t addresses = std::uint64_t{headers.source} << 32U | headers.destination;
  const std::uint64_t rest = std::uint64_t{headers.protocol} << 32U |
                             std::uint64_t{headers.source_port} << 16U | headers.destination_port;
  return mixed(mixed(mixed(seed) ^ addresses) ^ rest);
}

/// The same with the destination's queue pair, for `Balance::ecmp_queue_pair`.
constexpr std::uint64_t queue_pair_hash(const Headers& headers, std::uint64_t seed) {
  return mixed(flow_hash(headers, seed) ^ headers.queue_pair);
}

}  // namespace railgauge::softfabric
