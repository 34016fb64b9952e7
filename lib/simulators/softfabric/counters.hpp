#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "softfabric/packet.hpp"
#include "softfabric/pause_frame.hpp"

namespace railgauge::softfabric {

/// Why a packet ended before its host.
enum class Drop : std::uint8_t {
  buffer_full,    ///< no room in a lossy queue: tail drop
  headroom_full,  ///< a lossless priority's sender did not stop in time
  nic_full,       ///< the queue of a host's port: the host sent more than its link takes
  no_route,
  ttl_expired,
  too_large,  ///< for the next link
  malformed,  ///< no IPv4 packet, or one that contradicts itself
  link_down,
  fault,     ///< lost on purpose
  watchdog,  ///< in a queue that was paused for too long
  reboot,
  no_memory,  ///< softswitch's own
  last = no_memory,
};
inline constexpr std::size_t kDrops = static_cast<std::size_t>(Drop::last) + 1;

std::string_view name_of(Drop drop);

/// How deep a queue was when packets came: below 1 KiB, 2, 4, …, and the last beyond.
inline constexpr std::size_t kDepths = 16;
constexpr std::size_t depth_bucket(std::uint64_t bytes) {
  const auto bucket = static_cast<std::size_t>(std::bit_width(bytes >> 10U));
  return bucket < kDepths ? bucket : kDepths - 1;
}

/// Of one direction of a link and one priority. What its sending end counts:
struct PriorityCounters {
  std::uint64_t sent_packets = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t ce_marks = 0;
  std::uint64_t most_queued_bytes = 0;
  std::array<std::uint64_t, kDepths> queue_depths{};
  std::uint64_t pauses_received = 0;  ///< frames, also those that end a pause
  Time paused{};                      ///< time that pauses have taken, but for one that goes on
  /// Its receiving end:
  std::uint64_t received_packets = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t pauses_sent = 0;  ///< towards its sending end
  /// Either end, and the line between them.
  std::array<std::uint64_t, kDrops> drops{};
};

/// Of all priorities: what comes into a queue goes out or is dropped, and so on a line. These are
/// compared by Model::conservation_error().
struct WireTotals {
  std::uint64_t enqueued = 0;
  std::uint64_t flushed = 0;  ///< dropped out of the queues
  std::uint64_t sent = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t lost = 0;  ///< on the line
  std::uint64_t arrived = 0;
};

/// Of the whole model.
struct ModelTotals {
  std::uint64_t received = 0;   ///< frames from hosts
  std::uint64_t made = 0;       ///< ICMP messages and duplicates
  std::uint64_t delivered = 0;  ///< to hosts
  std::uint64_t dropped = 0;
};

/// How late the model is driven: a packet is late that was handed to its host so much later than it
/// was due.
struct Lateness {
  std::uint64_t late_packets = 0;
  std::uint64_t unread_packets = 0;   ///< of hosts: lost, as nobody took them in time
  std::uint64_t refused_packets = 0;  ///< to hosts: lost, as the kernel did not take them
  Time most{};
};
/// Whether what was measured is the fabric rather than the machine under it: nothing was lost
/// outside of it, and at most one packet of a hundred was late.
constexpr bool kept_up(const Lateness& lateness, const ModelTotals& totals) {
  return lateness.unread_packets + lateness.refused_packets == 0 &&
         lateness.late_packets * 100 <= totals.delivered;
}

}  // namespace railgauge::softfabric
