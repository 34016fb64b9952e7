#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "flow/near_memory.hpp"
#include "verbs/completion_queue.hpp"
#include "verbs/device.hpp"
#include "verbs/memory.hpp"
#include "verbs/port.hpp"

namespace railgauge::flow {

/// A NIC of this host, opened, with memory on its NUMA node that peers may write and read: what all
/// its tests use, one after the other. What is in the memory does not matter. What messages of
/// bandwidth carry may be in memory of a GPU instead. One thread.
class Nic {
 public:
  /// For messages of at most so many bytes. `payload`: a GPU's memory for as many, at least
  /// kLargestPacket; it outlives this. Throws std::system_error.
  Nic(const verbs::Port& port, std::uint32_t most_bytes,
      const std::optional<verbs::DeviceSlice>& payload = {})
      : port_(port),
        context_(verbs::open_device(port.device)),
        domain_(verbs::allocate_domain(*context_)),
        completions_(*context_, kCompletions),
        memory_(kPayload + std::max(most_bytes, kLargestPacket), numa_node_of(port.device)),
        region_(
            verbs::register_memory(*domain_, memory_.bytes(), verbs::PeerAccess::read_and_write)),
        payload_{memory_.bytes().data() + kPayload, 0, region_->lkey},
        payload_key_(region_->rkey) {
    if (!payload) return;
    device_payload_ = verbs::register_device(*domain_, *payload, payload->memory.size());
    const ibv_mr& region = *device_payload_.regions.front();
    payload_ = {payload->memory.data(), 0, region.lkey, true};
    payload_key_ = region.rkey;
  }

  /// Payload of the largest packet that RoCE has. There is always room for it.
  static constexpr std::uint32_t kLargestPacket = 4096;

  // Parts of the memory, each in a page of its own, by their distance from its beginning.
  static constexpr std::size_t kMailbox = 0;      ///< where a peer's pings are seen
  static constexpr std::size_t kOutbox = 4096;    ///< from where pings are sent, and read by peers
  static constexpr std::size_t kInbox = 8192;     ///< where sends, and what was read, arrive
  static constexpr std::size_t kPayload = 12288;  ///< of messages, sent and received

  [[nodiscard]] verbs::LocalSlice slice(std::size_t at, std::uint32_t bytes) const {
    return {memory_.bytes().data() + at, bytes, region_->lkey};
  }
  /// What messages of so many bytes carry, and where those of peers go.
  [[nodiscard]] verbs::LocalSlice payload(std::uint32_t bytes) const {
    verbs::LocalSlice slice = payload_;
    slice.bytes = bytes;
    return slice;
  }
  [[nodiscard]] verbs::RemoteSlice remote_payload() const {
    return {reinterpret_cast<std::uintptr_t>(payload_.data), payload_key_};
  }
  [[nodiscard]] verbs::RemoteMemory remote() const { return verbs::remote_memory(*region_); }
  [[nodiscard]] std::byte* mailbox() { return memory_.bytes().data() + kMailbox; }
  [[nodiscard]] std::byte* outbox() { return memory_.bytes().data() + kOutbox; }

  [[nodiscard]] const verbs::Port& port() const { return port_; }
  [[nodiscard]] ibv_pd& domain() { return *domain_; }
  [[nodiscard]] verbs::CompletionQueue& completions() { return completions_; }
  /// What an earlier test left in the queue is not a later one's: a number for each.
  [[nodiscard]] std::uint64_t next_test() { return ++tests_; }

 private:
  // Whatever a test has under way (test.cpp), and what the one before it left.
  static constexpr int kCompletions = 8192;

  verbs::Port port_;
  verbs::Context context_;
  verbs::ProtectionDomain domain_;
  verbs::CompletionQueue completions_;
  NearMemory memory_;
  verbs::MemoryRegion region_;
  verbs::Pieces device_payload_;
  verbs::LocalSlice payload_;  // of any length
  std::uint32_t payload_key_;
  std::uint64_t tests_ = 0;
};

}  // namespace railgauge::flow
