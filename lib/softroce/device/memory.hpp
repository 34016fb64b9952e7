#pragma once

// lib/softroce/device holds the objects of verbs and what they do: queues, queue pairs, the
// protocol. It must not know sockets, threads of its own, or how programs find it; and every
// function in here is called with the engine's lock held, unless it says otherwise.

#include <infiniband/verbs.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace railgauge::softroce {

/// A registered memory region.
struct Region : ibv_mr {
  std::uint64_t iova = 0;    ///< the address that work requests and peers use for the first byte
  unsigned access = 0;       ///< ibv_access_flags
  bool invalidated = false;  ///< by a SEND with invalidate: its key opens nothing any more
};

/// Is told of every change to a table of regions.
class MemoryWatcher {
 public:
  MemoryWatcher() = default;
  MemoryWatcher(const MemoryWatcher&) = delete;
  MemoryWatcher& operator=(const MemoryWatcher&) = delete;
  virtual ~MemoryWatcher() = default;
  virtual void region_changed(std::uint32_t place, const Region* region) = 0;  ///< null: gone
};

/// All regions of a process, by key. Local and remote key are one number: 24 bits of place, 8 bits
/// that change with every registration, so that a key kept too long opens nothing.
class MemoryTable {
 public:
  Region* add(ibv_pd* domain, void* address, std::size_t length, std::uint64_t iova,
              unsigned access);
  void remove(Region* region);
  /// A new key for a changed region; the old one opens nothing any more.
  void renew_key(Region* region);
  /// Tells the watcher that something else of a region is different.
  void changed(const Region& region) const;
  MemoryWatcher* watcher = nullptr;

  /// Where these bytes are in this process; null when the key is wrong, they are not all inside the
  /// region, `domain` is another one, or the region does not grant all of `access`.
  std::byte* resolve(std::uint32_t key, std::uint64_t address, std::uint64_t length,
                     const ibv_pd* domain, unsigned access) const;

  /// Ends what a key opens (SEND with invalidate). False when it opened nothing in this domain.
  bool invalidate(std::uint32_t key, const ibv_pd* domain);

  /// Resolves every element in place: `addr` becomes an address of this process. False as
  /// resolve(), and then none is touched: it may be tried again. Elements without bytes are not
  /// looked at (InfiniBand volume 1, 10.6.3.1).
  bool resolve_all(std::span<ibv_sge> elements, const ibv_pd* domain, unsigned access) const;

 private:
  Region* find(std::uint32_t key) const;
  std::vector<std::unique_ptr<Region>> regions_;
  std::vector<std::uint32_t> free_;
  std::uint8_t next_tag_ = 1;
};

/// Resolved scatter-gather elements as one run of bytes.
std::uint64_t total_length(std::span<const ibv_sge> elements);
/// Points `out` at [offset, offset + length); returns how many pieces.
std::size_t gather(std::span<const ibv_sge> elements, std::uint64_t offset, std::size_t length,
                   iovec* out);
void scatter(std::span<const ibv_sge> elements, std::uint64_t offset,
             std::span<const std::byte> data);

}  // namespace railgauge::softroce
