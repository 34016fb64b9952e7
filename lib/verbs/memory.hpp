#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "verbs/device.hpp"

namespace railgauge::verbs {

/// What a peer needs in order to write into a region. Trivially copyable, host byte order.
struct RemoteMemory {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint32_t key = 0;  ///< rkey
};

/// Registered memory of this host. The bytes must not change until the write has completed, unless
/// it went inline. `key` is the region's lkey; inline and empty writes ignore it.
struct LocalSlice {
  const std::byte* data = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t key = 0;
};

struct RemoteSlice {
  std::uint64_t address = 0;
  std::uint32_t key = 0;  ///< rkey
};

/// What peers may do with registered memory.
enum class PeerAccess : std::uint8_t { write, read_and_write };

/// Registers `memory` for writing by the device, on behalf of this host and of peers. The memory
/// and `domain` must outlive the region. Throws std::system_error; when the kernel refused to
/// pin the pages (ENOMEM) the message names the limit in force and how to raise it.
MemoryRegion register_memory(ibv_pd& domain, std::span<std::byte> memory,
                             PeerAccess peers = PeerAccess::write);

/// What to send to a peer that is to write into `region`.
RemoteMemory remote_memory(const ibv_mr& region);

/// The sentence about RLIMIT_MEMLOCK that register_memory() adds. `limit_bytes` is the limit in
/// force, RLIM_INFINITY for none.
std::string memlock_advice(std::uint64_t limit_bytes);

}  // namespace railgauge::verbs
