#pragma once

#include <chrono>
#include <cstdint>

#include "flow/nic.hpp"
#include "flow/plan.hpp"
#include "flow/stream.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::flow {

/// One end of a latency test of 8 bytes: it asks when it is its turn, and else it answers. Reads
/// are answered by the NIC, writes are seen in memory as ib_write_lat sees them, sends as
/// completions. Nothing waits or throws; what posts returns 0 or an errno value.
class Pinger {
 public:
  static constexpr std::uint32_t kBytes = 8;
  static constexpr std::uint64_t kWarmUp = 10;  // pings that do not count; not of unanswered

  /// All of them have to outlive it. `id` is that of its completions.
  Pinger(const Plan& plan, Nic& nic, verbs::QueuePair& pair, const verbs::RemoteMemory& there,
         std::uint64_t id);

  /// It asks from now on.
  int begin();
  /// Looks whether a write has arrived in memory.
  int look();
  /// A send of the peer arrived, what a read asked for, or the acknowledgement of an unanswered
  /// write.
  int arrived();
  /// It has asked as often as it should.
  [[nodiscard]] bool done() const { return asked_ > 0 && !under_way_; }
  /// Grows with everything that happens.
  [[nodiscard]] std::uint64_t progress() const { return count_; }
  [[nodiscard]] const Figures& figures() const { return figures_; }

 private:
  [[nodiscard]] bool is_whole_trip() const {
    return plan_.mode == Mode::read || plan_.mode == Mode::unanswered;
  }
  [[nodiscard]] bool asks_again() const;
  int answered();
  int ask();
  int post();

  const Plan& plan_;
  Nic& nic_;
  verbs::QueuePair& pair_;
  verbs::RemoteMemory there_;
  std::uint64_t id_;
  bool under_way_ = false;
  std::uint64_t count_ = 0;  // of the last ping, of either direction: what the writes carry
  std::uint64_t asked_ = 0;
  Clock::time_point began_{};
  Clock::time_point now_{};
  Clock::time_point asked_at_{};
  Figures figures_{};
};

}  // namespace railgauge::flow
