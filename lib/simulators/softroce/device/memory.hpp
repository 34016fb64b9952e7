#pragma once

// lib/simulators/softroce/device holds the objects of verbs and what they do: queues, queue pairs,
// the protocol. It must not know sockets or how programs find it, and has no threads; every
// function is called with the engine's lock held unless it says otherwise.

#include <infiniband/verbs.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "softroce/device/memory_window.hpp"
#include "softroce/device/shadow.hpp"

namespace railgauge::softroce {

/// Where the bytes of a region are, if not where the program says they are: mapped, or the shadow
/// of a GPU's memory.
struct Imported {
  std::byte* bytes = nullptr;
  std::unique_ptr<Backing> backing{};
  Shadow* shadow = nullptr;  ///< the backing, if it is one
};

/// A registered memory region.
struct Region : ibv_mr {
  Imported imported{};
  std::byte* bytes = nullptr;  ///< in this process; `addr` is what the program was told
  std::uint32_t place = 0;     ///< as its key has it
  std::uint64_t iova = 0;      ///< the address that work requests and peers use for the first byte
  unsigned access = 0;         ///< ibv_access_flags
  unsigned windows = 0;        ///< bound to it: it stays as it is until they are unbound
};

/// Gets notified of every change to a table of regions.
class MemoryWatcher {
 public:
  MemoryWatcher() = default;
  MemoryWatcher(const MemoryWatcher&) = delete;
  MemoryWatcher& operator=(const MemoryWatcher&) = delete;
  virtual ~MemoryWatcher() = default;
  virtual void region_changed(std::uint32_t place, const Region* region) = 0;  ///< null: gone
};

/// All regions and windows of a device, by key. Local and remote key of a region are the same
/// number: 20 bits of place, which no other process can guess, and 11 bits that change with every
/// registration, so that a stale key gives no access. Keys of windows have the highest bit set, and
/// those of regions do not.
class MemoryTable {
 public:
  Region* add(ibv_pd* domain, void* address, std::size_t length, std::uint64_t iova,
              unsigned access, Imported imported = {});
  void remove(Region* region);
  /// The region's bytes are at `address` from now on. Returns what they were kept in, so that it is
  /// released without the lock: a driver may wait for its device.
  std::unique_ptr<Backing> move_to(Region& region, void* address);
  /// A new key for a changed region; the old one becomes void.
  void renew_key(Region* region);
  /// Notifies the watcher of any other change to a region.
  void changed(const Region& region) const;
  MemoryWatcher* watcher = nullptr;

  /// Where these bytes are in this process; null if the key is wrong, they are not all inside the
  /// region, `domain` is another one, or the region does not grant all of `access`.
  std::byte* resolve(std::uint32_t key, std::uint64_t address, std::uint64_t length,
                     const ibv_pd* domain, unsigned access) const;

  /// The same for a key that came from a peer: a region's, or a window's.
  std::byte* resolve_remote(std::uint32_t key, std::uint64_t address, std::uint64_t length,
                            const Accessor& by, unsigned access) const;

  WindowTable windows;
  ShadowTable shadows;
  /// Binds a window to the region that the binding names. False if that is not allowed.
  bool bind(const Binding& binding, const Accessor& by) {
    return windows.bind(binding, find(binding.region_key), by);
  }

  /// Resolves every element in place: `addr` becomes an address of this process. False where
  /// resolve() fails; then none is changed, and the caller may try again. Empty elements are not
  /// checked (InfiniBand volume 1, 10.6.3.1).
  bool resolve_all(std::span<ibv_sge> elements, const ibv_pd* domain, unsigned access) const;

 private:
  Region* find(std::uint32_t key) const;
  std::vector<std::unique_ptr<Region>> regions_;
  std::vector<std::uint32_t> free_;
  std::uint32_t hidden_ = unguessable() & (~kWindowBit >> kRegionTagBits);  // as of WindowTable
  std::uint32_t next_tag_ = unguessable();
};

/// The number of bytes in resolved scatter-gather elements.
std::uint64_t total_length(std::span<const ibv_sge> elements);
/// Points `out` at [offset, offset + length); returns how many pieces.
std::size_t gather(std::span<const ibv_sge> elements, std::uint64_t offset, std::size_t length,
                   iovec* out);
/// False if the program has unmapped some of the memory (memory_guard.hpp).
[[nodiscard]] bool scatter(std::span<const ibv_sge> elements, std::uint64_t offset,
                           std::span<const std::byte> data);
/// The same for memory in one piece.
[[nodiscard]] bool put(std::byte* to, std::span<const std::byte> data);

}  // namespace railgauge::softroce
