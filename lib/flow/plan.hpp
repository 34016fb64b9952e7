#pragma once

// lib/flow holds how fast one NIC sends to another: the two ends of a test over queue pairs of its
// own. It must not know ranks, MPI, or which pairs are tested and why.

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

namespace railgauge::flow {

/// What is measured.
enum class Mode : std::uint8_t {
  bandwidth,  ///< RDMA writes, many under way
  write,      ///< latency of an RDMA write of 8 bytes: half of a round trip, seen in memory
  read,       ///< latency of an RDMA read of 8 bytes, which is a whole round trip
  send,       ///< latency of a send of 8 bytes: half of a round trip
  connect,    ///< latency of some writes of 8 bytes, then packets of every size, then bandwidth
  /// Latency of writes of 8 bytes to their acknowledgement for a tenth of the time, then bandwidth.
  /// Nothing but acknowledgements and a few datagrams (ClassProbe) goes back, so that the reverse
  /// path counts only if it is dead. Forward only.
  unanswered,
};
/// Those that users choose from.
inline constexpr std::array kModes{Mode::bandwidth, Mode::write, Mode::read, Mode::send,
                                   Mode::connect};

/// Whether its figure is a bandwidth.
[[nodiscard]] constexpr bool is_of_data(Mode mode) {
  return mode == Mode::bandwidth || mode == Mode::connect || mode == Mode::unanswered;
}

/// "bandwidth", "write", "read", "send", "connect", "unanswered".
[[nodiscard]] std::string_view word(Mode mode);

/// Which directions are measured between the first and the second end.
enum class Directions : std::uint8_t {
  forward,   ///< from the first to the second
  in_turn,   ///< then from the second to the first
  together,  ///< both at the same time; of latencies, which disturb each other, in turn
};

inline constexpr int kMostQueuePairs = 32;
inline constexpr int kMostWindow = 256;

/// What both ends do; they must have the same plan. Without a number of iterations each direction
/// takes `time`, and as long as what is under way then takes to arrive.
struct Plan {
  Mode mode = Mode::bandwidth;
  Directions directions = Directions::in_turn;
  std::uint32_t message_bytes = 64 * 1024;  ///< of bandwidth, connect and unanswered
  int queue_pairs = 1;                      ///< of bandwidth, at most kMostQueuePairs
  int window = 16;                          ///< writes under way on each, at most kMostWindow
  std::uint64_t iterations = 0;  ///< messages of each direction; 0: as many as fit into `time`
  std::chrono::milliseconds time{20};
  /// Of bandwidth: messages become due at this rate, whether or not earlier ones were acknowledged,
  /// and their times count from then (no coordinated omission). What the window has no
  /// room for within `time` is not sent. 0: a message is due as soon as there is room.
  double gigabytes_per_second = 0;
  std::uint64_t burst = 1;  ///< of a rate: so many messages become due at the same time
  std::uint8_t traffic_class = 0;
  /// Of each queue pair, in both directions (verbs::QueuePairSettings); of connect the first is
  /// that of all. 0, and those not listed: the driver's choice. lib/paths says which label makes
  /// which source port.
  std::vector<std::uint32_t> flow_labels{};
  /// An end that sees nothing happen for so long, beyond the time that the peer may be busy, gives
  /// up; and so does one that is not done after `longest`.
  std::chrono::milliseconds patience{3000};
  std::chrono::milliseconds longest{15000};
};

}  // namespace railgauge::flow
