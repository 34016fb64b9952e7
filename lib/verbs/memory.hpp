#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

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
  bool of_device = false;  ///< it never goes inline: a processor cannot copy it
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

/// Memory of a device (a GPU) for a NIC: `memory` at the device's addresses, shown by the file of a
/// dma-buf, in which it begins at `offset`; -1: registered by its addresses, which takes a module
/// of the device's driver in the kernel (nvidia_peermem).
struct DeviceSlice {
  std::span<std::byte> memory;
  int dma_buf = -1;
  std::uint64_t offset = 0;
};

/// Registered memory, in one piece, or in several where the kernel maps no more of a device's at
/// once: with a full IOMMU a dma-buf above 2 GiB is ENOMEM. Pieces begin every 2^shift bytes and
/// overlap, so that what begins in one and is no longer than the overlap lies in it as a whole.
struct Pieces {
  std::vector<MemoryRegion> regions;
  unsigned shift = 63;

  /// Of what begins there.
  [[nodiscard]] std::uint32_t local_key(std::size_t offset) const {
    return regions[offset >> shift]->lkey;
  }
};

/// At most this many: peers are told a key of each.
inline constexpr std::size_t kMostPieces = 128;

/// Throws std::system_error, whose message says what to do about it: the device or its driver has
/// no dma-buf, and no peer memory either; the kernel has no room for it.
Pieces register_device(ibv_pd& domain, const DeviceSlice& slice, std::size_t overlap);

/// The sentence about RLIMIT_MEMLOCK that register_memory() adds. `limit_bytes` is the limit in
/// force, RLIM_INFINITY for none.
std::string memlock_advice(std::uint64_t limit_bytes);

}  // namespace railgauge::verbs
