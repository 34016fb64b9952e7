#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "verbs/device.hpp"

namespace railgauge::verbs {

/// What completed. Known from the completion's opcode, not from its flags: software RoCE sets
/// IBV_WC_WITH_IMM on the sender's completion too.
enum class CompletionKind : std::uint8_t {
  write,    ///< the peer acknowledged a write of ours
  read,     ///< what a read of ours asked for is here
  send,     ///< the peer acknowledged a send of ours
  arrival,  ///< a peer's write with immediate, or send, arrived and consumed one receive
  unknown,  ///< it failed, and verbs does not say what it was; `id` does
};

/// One completion, by value.
struct Completion {
  std::uint64_t id = 0;         ///< as given when posting
  std::uint32_t qp_number = 0;  ///< the local pair it belongs to
  /// Of the arrival of a write with immediate only; host byte order, as the peer set it.
  std::uint32_t immediate = 0;
  std::uint32_t bytes = 0;         ///< arrival only: bytes in this message
  std::uint32_t vendor_error = 0;  ///< failures only, for vendor support
  ibv_wc_status status = IBV_WC_SUCCESS;
  CompletionKind kind = CompletionKind::unknown;

  bool ok() const { return status == IBV_WC_SUCCESS; }
};

/// For hang reports and errors: "RETRY_EXC_ERR on queue pair 0x11: transport retries exhausted:
/// ...".
std::string describe(const Completion& completion);

/// Completions of one device, with a completion channel of their own, so that an idle thread can
/// sleep. Where the device allows too few in one queue (ionic: 65,435), several share the channel.
/// Arming only concerns completions that come later, so not losing a wake-up takes this order:
///
///   if (queue.poll(completions) == 0) {
///     queue.arm();
///     if (queue.poll(completions) == 0) ::poll(fd());
///     queue.take_events();
///   }
///
/// An event says "poll", not "there is a completion".
class CompletionQueue {
 public:
  /// Holds at least `depth` completions: at least as many as may be outstanding, or the queue
  /// overruns and its pairs fail. `context` must outlive it. Throws std::system_error.
  CompletionQueue(ibv_context& context, int depth)
      : CompletionQueue(context, depth, limits_of(context).max_cqe) {}
  /// With at most `most` in each queue of the device.
  CompletionQueue(ibv_context& context, int depth, int most);
  CompletionQueue(CompletionQueue&&) = default;
  /// It would end the channel before the queues that use it.
  CompletionQueue& operator=(CompletionQueue&&) = delete;
  CompletionQueue(const CompletionQueue&) = delete;
  CompletionQueue& operator=(const CompletionQueue&) = delete;
  ~CompletionQueue() = default;

  /// Takes up to `completions.size()` completions and returns how many, or -1 if the queue itself
  /// failed (overrun, device gone). Does not block, allocate or throw.
  int poll(std::span<Completion> completions) noexcept;

  /// Asks for an event at the next completion. Returns 0 or an errno value.
  int arm() noexcept;

  /// Readable while an event is pending: for poll(2) over several queues. Then take_events().
  int fd() const noexcept { return channel_->fd; }

  /// Takes and acknowledges all pending events without blocking. True if there were any.
  bool take_events() noexcept;

  int depth() const noexcept;  ///< as granted, at least what was asked for
  /// The emptiest queue, for a pair of which so many completions may be outstanding in it.
  ibv_cq& raw_for(int outstanding) noexcept;

 private:
  struct Queue {
    CompletionQueueHandle raw;
    int taken = 0;        // by pairs
    unsigned events = 0;  // taken, and not acknowledged yet
  };

  CompletionChannel channel_;
  std::vector<Queue> queues_;
  std::size_t next_ = 0;  // was polled last; starting behind it, none waits for the others
};

}  // namespace railgauge::verbs
