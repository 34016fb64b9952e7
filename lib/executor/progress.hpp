#pragma once

#include <cstddef>
#include <cstdint>

namespace railgauge::executor {

/// What ranks tell each other in the 32 bits that accompany a write: "this is a chunk of this run",
/// or "you may send this many chunks of this run", counted from its start; and, between runs, "this
/// is when your chunks arrived".
struct Notification {
  bool credit = false;
  std::uint32_t run = 0;     // modulo 2^15
  std::uint32_t chunks = 0;  // of a credit, modulo 2^16; else 0, or kTimes

  static constexpr std::uint32_t kTimes = 1;

  static constexpr std::uint32_t kRunMask = (1U << 15U) - 1;
  static constexpr std::uint32_t kChunksMask = (1U << 16U) - 1;

  [[nodiscard]] std::uint32_t bits() const {
    return (credit ? 1U << 31U : 0U) | (run & kRunMask) << 16U | (chunks & kChunksMask);
  }
  static Notification from(std::uint32_t bits) {
    return {(bits >> 31U) != 0, bits >> 16U & kRunMask, bits & kChunksMask};
  }

  [[nodiscard]] bool is_times() const { return !credit && chunks == kTimes; }
  [[nodiscard]] bool is_of(std::uint32_t number) const { return (number & kRunMask) == run; }
};

/// A position in a channel's list of ops: `elements` into its `op`-th.
struct Cursor {
  std::uint32_t op = 0;
  std::size_t elements = 0;
};

/// How far one channel has got in a run. Chunks are counted from the start of the run, so the
/// counts agree with the peer's.
struct RunProgress {
  // Sending.
  std::uint32_t sent = 0;
  std::uint32_t credit = 0;  // chunks that the peer has granted so far
  Cursor send;
  std::uint32_t acknowledged_op = 0;  // all ops before it have arrived at the peer, or will

  // Receiving.
  std::uint32_t granted = 0;    // chunks that have a place to land
  std::uint32_t announced = 0;  // of these, how many the peer knows about
  std::uint32_t arrived = 0;
  std::uint32_t taken = 0;    // of these, that are applied, or handed over to be
  std::uint32_t applied = 0;  // combined, copied out, or final where they landed
  Cursor grant;
  Cursor apply;
};

/// One channel.
struct ChannelProgress {
  RunProgress now;

  // About the next run, since a peer may be one ahead and is told in advance what it may send.
  std::uint32_t promised = 0;  // chunks that the peer knows it may send
  std::uint32_t early = 0;     // chunks of it that have already arrived
  std::uint32_t next_run = 0;  // the run that `next_credit` is for
  std::uint32_t next_credit = 0;

  // Since the executor was constructed.
  std::uint64_t exchanges = 0;  // of times, that the peer has told
  std::uint64_t writes = 0;     // chunks and notifications without data
  std::uint64_t chunks = 0;
  std::uint64_t payload_bytes = 0;
};

}  // namespace railgauge::executor
