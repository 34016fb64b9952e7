#pragma once

#include <cstddef>
#include <cstdint>

namespace railgauge::executor {

/// A place in a channel's list of ops: so many elements into its `op`-th.
struct Cursor {
  std::uint32_t op = 0;
  std::size_t elements = 0;
};

/// How far one channel is in a run. Chunks are counted from the start of the run, and so agree with
/// the peer's count.
struct RunProgress {
  // What we send.
  std::uint32_t sent = 0;
  std::uint32_t credit = 0;  // chunks that the peer has allowed so far
  Cursor send;
  std::uint32_t acknowledged_op = 0;  // all ops before it have arrived at the peer, or will

  // What we take.
  std::uint32_t granted = 0;    // chunks that have a place to land
  std::uint32_t announced = 0;  // of these, how many the peer knows of
  std::uint32_t arrived = 0;
  std::uint32_t applied = 0;  // combined, copied out, or final where they landed
  Cursor grant;
  Cursor apply;
};

/// One channel.
struct ChannelProgress {
  RunProgress now;

  // Of the next run, since a peer may be ahead by one, and is told in advance what it may send.
  std::uint32_t promised = 0;  // chunks that the peer knows it may send then
  std::uint32_t early = 0;     // chunks that have arrived for it
  std::uint32_t next_run = 0;  // the run that `next_credit` is for
  std::uint32_t next_credit = 0;

  // Since the executor was made.
  std::uint64_t writes = 0;  // of chunks and of notices
  std::uint64_t chunks = 0;
  std::uint64_t payload_bytes = 0;
};

}  // namespace railgauge::executor
