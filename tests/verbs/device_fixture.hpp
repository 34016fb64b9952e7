#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <vector>

#include "verbs/completion_queue.hpp"
#include "verbs/device.hpp"
#include "verbs/memory.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::verbs {

/// Opens the first usable port; skips with the reason when there is none.
class DeviceTest : public ::testing::Test {
 protected:
  void SetUp() override;

  Port port_;
  Context context_;
  ProtectionDomain domain_;
};

/// One end of a connection inside this process: registered memory and one queue for everything,
/// with at most `most` completions in each queue of the device.
struct End {
  End(ibv_context& context, ibv_pd& domain, std::size_t bytes, int most = 1024)
      : memory(bytes), region(register_memory(domain, memory)), queue(context, 1024, most) {}

  LocalSlice slice(std::size_t bytes) const;  ///< the first `bytes` of its memory
  RemoteSlice target() const;                 ///< where a peer may write

  /// Sleeps until an event or the timeout, and takes the event. True if there was one.
  bool wait(std::chrono::milliseconds timeout);
  /// Takes one completion; fails the test and returns an unknown one after a minute without.
  Completion next();

  std::vector<std::byte> memory;
  MemoryRegion region;
  CompletionQueue queue;
};

/// Two ends whose pairs are joined over one port.
class JoinedTest : public DeviceTest {
 protected:
  static constexpr std::size_t kBytes = 512 * 1024;

  void SetUp() override;
  PendingQueuePair make_pair(End& end, const QueuePairSettings& settings = {});
  /// Joins new pairs of both ends, replacing earlier ones.
  void join(const QueuePairSettings& settings = {});

  std::unique_ptr<End> left_, right_;
  std::unique_ptr<QueuePair> left_pair_, right_pair_;
};

}  // namespace railgauge::verbs
