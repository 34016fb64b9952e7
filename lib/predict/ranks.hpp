#pragma once

#include <cstdint>
#include <vector>

#include "fabric/fabric.hpp"
#include "predict/network.hpp"

namespace railgauge::predict {

/// How ranks are numbered over the hosts.
enum class Order {
  pod,     ///< host after host, in the order of leaves
  rail,    ///< GPU 0 of all hosts, then GPU 1 of all hosts, ...
  random,  ///< host after host, the hosts in any order (by the seed)
};

struct Ranks {
  fabric::Count hosts = 1;
  fabric::Count per_host = 8;
  Order order = Order::pod;
  fabric::Count nics_each = 1;  ///< that a rank's messages are striped over
};

/// Of every rank: its host, its GPU and the first of its NICs.
[[nodiscard]] std::vector<Endpoint> endpoints_of(const fabric::Fabric& fabric, const Ranks& ranks,
                                                 std::uint64_t seed);

}  // namespace railgauge::predict
