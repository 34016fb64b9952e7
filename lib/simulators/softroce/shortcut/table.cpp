#include "softroce/shortcut/table.hpp"

#include <sys/mman.h>
#include <sys/random.h>

#include <atomic>
#include <cerrno>
#include <system_error>

#include "softroce/wire/big_endian.hpp"
#include "softroce/wire/opcode.hpp"

namespace railgauge::softroce {
namespace {

constexpr unsigned kOpcode = 0xc0;
constexpr auto kService = static_cast<Service>(kOpcode >> kServiceShift);
// "SRS" and the version of this layout: a peer with another one uses the wire.
constexpr std::uint32_t kLayout = 0x53525301;

}  // namespace

PublishedTable::PublishedTable() {
  // Only pages that are touched take memory.
  void* room = mmap(nullptr, sizeof(TableLayout), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  table_ = static_cast<TableLayout*>(room);  // zeros, which are empty entries
  Cookie& cookie = table_->header.cookie;
  if (getrandom(cookie.data(), cookie.size(), 0) != static_cast<ssize_t>(cookie.size())) {
    const int error = errno;
    munmap(table_, sizeof(TableLayout));
    throw std::system_error(error, std::generic_category(), "getrandom");
  }
}

PublishedTable::~PublishedTable() {
  munmap(table_, sizeof(TableLayout));
}

void PublishedTable::set_queue_pair(std::uint32_t number, const QueuePairEntry& entry) {
  change(table_->queue_pairs[number % kQueuePairPlaces], entry);
}

void PublishedTable::set_region(std::uint32_t place, const RegionEntry& entry) {
  if (place < kRegionPlaces) change(table_->regions[place], entry);
}

template <class Entry>
void PublishedTable::change(Entry& place, const Entry& entry) {
  const std::atomic_ref epoch(table_->header.epoch);
  const std::uint64_t before = epoch.load(std::memory_order_relaxed);
  epoch.exchange(before + 1);  // unlike store(), nothing behind it moves in front of it
  place = entry;
  epoch.store(before + 2, std::memory_order_release);
}

Packet greeting_headers(const Greeting& greeting) {
  return {.service = kService,
          .operation = static_cast<Operation>(kOpcode & kOperationMask),
          .queue_pair = greeting.queue_pair};
}

std::array<std::byte, kGreetingBytes> greeting_payload(const Greeting& greeting) {
  std::array<std::byte, kGreetingBytes> bytes{};
  Writer out(bytes.data());
  out.number(kLayout);
  out.number(std::uint32_t{greeting.asks});
  out.number(greeting.sender);
  out.number(greeting.process);
  out.number(greeting.table);
  out.bytes(greeting.cookie.data(), greeting.cookie.size());
  return bytes;
}

std::optional<Greeting> read_greeting(std::span<const std::byte> datagram) {
  if (datagram.size() != kBaseBytes + kGreetingBytes) return {};
  if (datagram[0] != std::byte{kOpcode}) return {};
  Greeting greeting;
  Reader base(datagram.data() + 4);
  greeting.queue_pair = base.number<std::uint32_t>() & kMask24;
  Reader in(datagram.data() + kBaseBytes);
  if (in.number<std::uint32_t>() != kLayout) return {};
  greeting.asks = in.number<std::uint32_t>() != 0;
  greeting.sender = in.number<std::uint32_t>();
  greeting.process = in.number<std::uint32_t>();
  greeting.table = in.number<std::uint64_t>();
  in.bytes(greeting.cookie.data(), greeting.cookie.size());
  return greeting;
}

}  // namespace railgauge::softroce
