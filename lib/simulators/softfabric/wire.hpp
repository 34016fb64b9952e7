#pragma once

#include <array>

#include "softfabric/counters.hpp"
#include "softfabric/faults.hpp"
#include "softfabric/packet.hpp"
#include "softfabric/random.hpp"
#include "softfabric/shared_buffer.hpp"

namespace railgauge::softfabric {

/// What pause frames have done to one queue.
struct Paused {
  bool active = false;
  bool dropping = false;  ///< the watchdog has bitten: nothing is queued until the pause ends
  Time since{};
  Time until{};
};

/// One direction of a link: the queues and flow control of its sending end, the line, and what its
/// receiving end keeps account of.
struct Wire {
  double bits_per_second = 0;
  Time delay{};
  std::uint32_t mtu_bytes = 0;
  bool up = true;
  Faults faults{};
  Time faults_since{};
  std::uint16_t faults_set = 0;  ///< how often, so that events of earlier ones are known
  Random random{};

  std::array<PacketQueue, kPriorities> queues{};
  std::array<Paused, kPriorities> paused{};
  Time busy_until{};  ///< the line takes no packet before
  PacketQueue flying{};
  Time last_due{};  ///< when the last of these arrives

  std::array<IngressShare, kPriorities> ingress{};
  std::array<Time, kPriorities> pause_sent{};  ///< when its receiver last told it to stop

  std::array<PriorityCounters, kPriorities> counters{};
  WireTotals totals{};
};

}  // namespace railgauge::softfabric
