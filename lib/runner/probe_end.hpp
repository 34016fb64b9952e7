#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// One end of a test between two NICs, over a queue pair of its own: how it is connected, driven
/// and given up. What is sent is for those who derive from it. Nothing here waits, so that one
/// thread drives all NICs of a host; nothing throws either: whatever goes wrong is a result. Both
/// ends have to live until both are over.
class ProbeEnd {
 public:
  virtual ~ProbeEnd() = default;
  ProbeEnd(const ProbeEnd&) = delete;
  ProbeEnd& operator=(const ProbeEnd&) = delete;

  [[nodiscard]] ProbeOffer offer() const;
  /// Whether this end is connected now.
  bool connect(const ProbeOffer& peer);
  /// Once both ends have tried to connect.
  void start(bool peer_connected);
  /// Goes on as far as it can. False once it is over, one way or the other.
  bool advance();
  [[nodiscard]] bool is_over() const { return over_; }
  /// Whether it sends from the port of its flow label.
  [[nodiscard]] verbs::SourcePort source_port() const {
    return pair_ ? pair_->source_port() : verbs::SourcePort::by_driver;
  }

 protected:
  using Clock = std::chrono::steady_clock;

  /// What is asked of the queue pair besides the timeouts. All its receives are posted. `time` is
  /// how long a peer may write without a word, and an end that hears nothing for `patience` beyond
  /// it gives up. `nic` has to outlive it.
  ProbeEnd(ProbedNic& nic, verbs::QueuePairSettings settings, std::chrono::milliseconds time,
           std::chrono::milliseconds patience);

  /// Both ends are connected.
  virtual void begin() = 0;
  /// One that succeeded; of a write, `of_stream` as it was posted.
  virtual void take(const verbs::Completion& completion, bool of_stream) = 0;

  /// To where the peer's memory begins.
  void write(std::uint32_t bytes, bool of_stream);
  void write_with_immediate(std::uint32_t bytes, std::uint32_t immediate);
  /// It has its figures: what goes wrong from now on ends it, and is not its concern.
  void settle() { settled_ = true; }
  void finish() { over_ = true; }
  void fail(const std::string& reason);

  [[nodiscard]] const verbs::Port& port() const { return nic_.port; }
  /// When it was started, and when something last happened.
  [[nodiscard]] Clock::time_point began() const { return began_; }
  [[nodiscard]] Clock::time_point progress() const { return progress_; }
  /// Why it did not come to its end, a sentence; empty if it did.
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  [[nodiscard]] std::uint64_t id(bool of_stream) const { return 2 * number_ + (of_stream ? 1 : 0); }
  void check_time();
  void complete(const verbs::Completion& completion);

  ProbedNic& nic_;
  std::chrono::milliseconds longest_silence_;
  std::uint64_t number_;  // among the probes of this NIC
  std::optional<verbs::PendingQueuePair> pending_;
  std::optional<verbs::QueuePair> pair_;
  verbs::RemoteSlice there_{};
  bool settled_ = false;
  bool over_ = false;
  std::string reason_;
  Clock::time_point began_;
  Clock::time_point progress_;
};

}  // namespace railgauge::runner
