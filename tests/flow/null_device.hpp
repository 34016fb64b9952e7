#pragma once

#include <cstddef>
#include <cstdint>

#include "verbs/port.hpp"

namespace railgauge::flow {

/// A device without a wire, in place of libibverbs in the program that links it: what a pair of
/// this process writes is acknowledged, and what it announces arrives, at the next poll; no byte is
/// moved. It counts what NICs pay for. One thread.
class NullDevice {
 public:
  struct Counts {
    std::uint64_t posts = 0;     ///< calls of ibv_post_send, each with one doorbell
    std::uint64_t messages = 0;  ///< in them
    std::uint64_t signals = 0;   ///< that asked for a completion
    std::uint64_t polls = 0;     ///< calls of ibv_poll_cq
  };
  static Counts& counts();

  /// The most completions that a poll yields from now on: a wire that is slower than the processor
  /// yields one.
  static void set_completions_per_poll(int most);
  /// Writes are accepted and never acknowledged from now on, or again.
  static void set_silent(bool silent);

  static verbs::Port port();
};

}  // namespace railgauge::flow
