#pragma once

// lib/simulators/softroce/shortcut lets processes of one host carry out RDMA by process_vm_readv()
// and process_vm_writev() (process_vm_readv(2)): the kernel copies, and there are no packets. It
// must be enabled explicitly, because its results measure this machine, not a network. It must not
// know sockets.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {

/// Distinguishes a process's table from anything else at its address.
using Cookie = std::array<std::uint8_t, 16>;

struct TableHeader {
  Cookie cookie{};
  std::uint64_t epoch = 0;  ///< odd during a change
  bool operator==(const TableHeader&) const = default;
};

/// A queue pair's; number 0 is one that accepts nothing.
struct QueuePairEntry {
  std::uint64_t domain = 0;
  std::uint32_t number = 0;
  std::uint32_t access = 0;
};

/// A memory region's; key 0 is none, as no key is 0.
struct RegionEntry {
  std::uint32_t key = 0;
  std::uint32_t access = 0;
  std::uint64_t iova = 0;
  std::uint64_t length = 0;
  std::uint64_t address = 0;
  std::uint64_t domain = 0;
};

inline constexpr std::uint32_t kQueuePairPlaces = 32768;  // as many as a port has
inline constexpr std::uint32_t kRegionPlaces = 1U << 20;  // as ibv_query_device() promises

struct TableLayout {
  TableHeader header;
  std::array<QueuePairEntry, kQueuePairPlaces> queue_pairs;
  std::array<RegionEntry, kRegionPlaces> regions;
};

/// What peers may access in this process. It is ordinary private memory, which they read by
/// process_vm_readv(): so the kernel decides who may, and nothing remains when the process ends.
///
/// It is a sequence lock: a reader that sees the same header before and after has read consistent
/// entries. It cannot stop a copy that has begun: a peer that is writing while the region is
/// deregistered may go on for a moment after ibv_dereg_mr().
class PublishedTable {
 public:
  PublishedTable();  ///< Throws std::system_error.
  ~PublishedTable();
  PublishedTable(const PublishedTable&) = delete;
  PublishedTable& operator=(const PublishedTable&) = delete;

  std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(table_); }
  const Cookie& cookie() const { return table_->header.cookie; }
  void set_queue_pair(std::uint32_t number, const QueuePairEntry& entry);
  void set_region(std::uint32_t place, const RegionEntry& entry);

 private:
  template <class Entry>
  void change(Entry& place, const Entry& entry);

  TableLayout* table_;
};

/// Tells the process at the other end of a queue pair where our table is. It is a packet with the
/// first manufacturer-specific opcode (InfiniBand volume 1, table 38: 0xc0 ... 0xff), which any
/// other device drops.
struct Greeting {
  bool asks = true;              ///< for an answer
  std::uint32_t queue_pair = 0;  ///< to whom
  std::uint32_t sender = 0;      ///< the number of the sender's queue pair
  std::uint32_t process = 0;
  std::uint64_t table = 0;
  Cookie cookie{};
};

inline constexpr std::size_t kGreetingBytes = 4 + 4 + 4 + 4 + 8 + sizeof(Cookie);

/// The packet's headers, and what follows them.
Packet greeting_headers(const Greeting& greeting);
std::array<std::byte, kGreetingBytes> greeting_payload(const Greeting& greeting);

/// Parses a datagram without its ICRC. Nothing for any other packet.
std::optional<Greeting> read_greeting(std::span<const std::byte> datagram);

}  // namespace railgauge::softroce
