#pragma once

#include <cstddef>
#include <cstdint>

namespace railgauge::executor {

/// A place in a lane's list of ops: so many elements into its `op`-th.
struct Cursor {
  std::uint32_t op = 0;
  std::size_t elements = 0;
};

/// How far one lane is. Counts of pieces run over the whole life of the executor and so agree with
/// the peer's; cursors start anew with each run.
struct LaneProgress {
  // What we send.
  std::uint64_t sent = 0;    // pieces
  std::uint64_t credit = 0;  // pieces that the peer has allowed so far
  std::uint64_t writes = 0;  // of pieces and of notices
  std::uint64_t payload_bytes = 0;
  Cursor send;
  std::uint32_t acknowledged_op = 0;  // all ops before it have arrived at the peer

  // What we take.
  std::uint64_t granted = 0;    // pieces that have a place to land
  std::uint64_t announced = 0;  // of these, how many the peer knows of
  std::uint64_t arrived = 0;
  std::uint64_t applied = 0;  // combined, or final where they landed
  Cursor grant;
  Cursor apply;

  void start_run() { send = grant = apply = {}, acknowledged_op = 0; }
};

}  // namespace railgauge::executor
