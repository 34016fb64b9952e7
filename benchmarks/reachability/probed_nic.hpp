#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "verbs/completion_queue.hpp"
#include "verbs/memory.hpp"
#include "verbs/port.hpp"

namespace railgauge::benchmarks {

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

}  // namespace railgauge::benchmarks
