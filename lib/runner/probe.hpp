#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reachability/matrix.hpp"
#include "verbs/completion_queue.hpp"
#include "verbs/memory.hpp"
#include "verbs/port.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::runner {

/// A NIC of this host, opened, with memory that peers may write into, and that is sent: what all
/// its probes use, one after the other. What is in it does not matter, and may be overwritten while
/// it is sent. Throws std::system_error.
struct ProbedNic {
  explicit ProbedNic(const verbs::Port& of);

  /// The largest write.
  static constexpr std::uint32_t kBytes = 256 * 1024;

  verbs::Port port;
  verbs::Context context;
  verbs::ProtectionDomain domain;
  verbs::CompletionQueue completions;
  std::vector<std::byte> memory;
  verbs::MemoryRegion region;
  std::uint64_t probes = 0;  // made so far: what an earlier one left in the queue is not a later's
};

/// What the two ends of a probe tell each other before they are connected. Plain bytes.
struct ProbeOffer {
  bool ready = false;  // whether there is a queue pair at all
  verbs::Address address{};
  verbs::RemoteMemory memory{};
};

/// One end of a test between two NICs, over a queue pair of its own: a few messages of 8 bytes
/// there and back, then writes of growing packets and large writes for a while from the first to
/// the second, then from the second to the first, so that a fault in one direction is told from one
/// in the other, and a path that loses large packets from a dead one. Nothing here
/// waits, so that one thread drives all NICs of a host; nothing throws either: whatever goes wrong
/// is a result. Both ends have to live until both are over.
class Probe {
 public:
  enum class Part : std::uint8_t { first, second };

  /// For so long writes are posted. `nic` has to outlive it.
  Probe(ProbedNic& nic, Part part, std::chrono::milliseconds time);

  [[nodiscard]] ProbeOffer offer() const;
  /// Whether this end is connected now.
  bool connect(const ProbeOffer& peer);
  /// Once both ends have tried to connect.
  void start(bool peer_connected);
  /// Goes on as far as it can. False once it is over, one way or the other.
  bool advance();
  /// What came of sending, and of the peer's answers. Empty if messages arrive both ways but the
  /// test ended before this end had its turn to write: of this direction nothing is known then.
  [[nodiscard]] std::optional<reachability::Reach> reach() const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Phase : std::uint8_t { greeting, climbing, streaming, parting, over };
  enum class Notice : std::uint32_t { ping = 1, done = 2 };

  void check_time();
  void take(const verbs::Completion& completion);
  void arrived(Notice notice);
  void acknowledged(bool of_stream);
  void ping();
  void tell(Notice notice);
  void climb();
  void begin_stream();
  void go_on_streaming();
  void fail(const std::string& reason);
  [[nodiscard]] std::uint32_t packet(std::size_t step) const;
  [[nodiscard]] std::uint64_t id(bool of_stream) const { return 2 * number_ + (of_stream ? 1 : 0); }

  ProbedNic& nic_;
  Part part_;
  std::chrono::milliseconds time_;
  std::uint64_t number_;  // among the probes of this NIC
  std::optional<verbs::PendingQueuePair> pending_;
  std::optional<verbs::QueuePair> pair_;
  verbs::RemoteSlice there_{};
  Phase phase_ = Phase::greeting;
  std::string reason_;
  Clock::time_point began_;
  Clock::time_point progress_;  // when something last happened

  bool heard_ = false;     // something arrived
  bool answered_ = false;  // something of ours was acknowledged
  int pings_ = 0;          // sent
  Clock::time_point pinged_;
  std::vector<double> round_trips_us_;

  bool had_its_turn_ = false;
  std::size_t climbed_ = 0;  // writes of growing packets, acknowledged
  Clock::time_point stream_began_;
  std::uint64_t posted_ = 0;  // writes of the stream
  std::uint64_t done_ = 0;    // of them, acknowledged
  double gigabytes_per_second_ = 0;
};

}  // namespace railgauge::runner
