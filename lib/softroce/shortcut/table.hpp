#pragma once

// lib/softroce/shortcut lets processes of one host carry out RDMA by process_vm_readv() and
// process_vm_writev() (process_vm_readv(2)): the kernel copies, and there are no packets. It is
// asked for explicitly, as what it shows are numbers of this machine and not of a network.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {

/// What tells one process's table from whatever else may lie at its address.
using Cookie = std::array<std::uint8_t, 16>;

struct TableHeader {
  Cookie cookie{};
  std::uint64_t epoch = 0;  ///< odd while something is being changed
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

/// What peers may reach of this process. It lies in ordinary private memory, which they read by
/// process_vm_readv(): so the kernel decides who may, and nothing is left when the process ends.
///
/// It is a sequence lock: who reads the header, entries, and the same header again has read entries
/// that belong together. What it cannot do is to stop a copy that has begun: a peer that writes
/// while the region is being deregistered may still do so for a moment after ibv_dereg_mr().
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

/// What a process tells the one at the other end of a queue pair: where its table is. It is a
/// packet with the first of the opcodes that are a manufacturer's own (InfiniBand volume 1, table
/// 38: 0xc0 ... 0xff), which everybody else drops.
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

/// Of a datagram without its ICRC. Nothing for any other packet.
std::optional<Greeting> read_greeting(std::span<const std::byte> datagram);

}  // namespace railgauge::softroce
