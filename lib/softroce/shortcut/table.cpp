#include "softroce/shortcut/table.hpp"

#include <sys/mman.h>
#include <sys/random.h>

#include <atomic>
#include <cerrno>
#include <system_error>

namespace railgauge::softroce {

PublishedTable::PublishedTable() {
  // Only pages that are used become memory.
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

}  // namespace railgauge::softroce
