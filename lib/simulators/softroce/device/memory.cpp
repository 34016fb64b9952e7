#include "softroce/device/memory.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "softroce/device/memory_guard.hpp"

namespace railgauge::softroce {

namespace {

std::byte* host(const ibv_sge& element) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): verbs carry addresses as integers
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(element.addr));
}

}  // namespace

Region* MemoryTable::add(ibv_pd* domain, void* address, std::size_t length, std::uint64_t iova,
                         unsigned access, Imported imported) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(regions_.size()));
    regions_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  auto region = std::make_unique<Region>();
  region->context = domain->context;
  region->pd = domain;
  region->addr = address;
  region->bytes = imported.bytes != nullptr ? imported.bytes : static_cast<std::byte*>(address);
  region->imported = std::move(imported);
  if (region->imported.shadow != nullptr) shadows.add(*region->imported.shadow);
  region->length = length;
  region->place = place ^ hidden_;
  region->iova = iova;
  region->access = access;
  guard_memory();
  Region* added = region.get();
  regions_[place] = std::move(region);
  renew_key(added);
  return added;
}

void MemoryTable::renew_key(Region* region) {
  constexpr std::uint32_t kTags = (1U << kRegionTagBits) - 1;  // without 0, as no key is 0
  region->lkey = region->rkey = (region->place << kRegionTagBits) | (next_tag_++ % kTags + 1);
  changed(*region);
}

void MemoryTable::changed(const Region& region) const {
  if (watcher != nullptr) watcher->region_changed(region.place, &region);
}

void MemoryTable::remove(Region* region) {
  const std::uint32_t key_place = region->place;
  const std::uint32_t place = key_place ^ hidden_;
  static_cast<void>(move_to(*region, nullptr));
  regions_[place].reset();
  free_.push_back(place);
  if (watcher != nullptr) watcher->region_changed(key_place, nullptr);
}

std::unique_ptr<Backing> MemoryTable::move_to(Region& region, void* address) {
  Imported before = std::exchange(region.imported, {});
  if (before.shadow != nullptr) shadows.remove(*before.shadow);
  region.addr = address;
  region.bytes = static_cast<std::byte*>(address);
  return std::move(before.backing);
}

Region* MemoryTable::find(std::uint32_t key) const {
  const std::uint32_t place = (key >> kRegionTagBits) ^ hidden_;
  if (place >= regions_.size() || regions_[place] == nullptr) return nullptr;
  return regions_[place]->lkey == key ? regions_[place].get() : nullptr;
}

std::byte* MemoryTable::resolve(std::uint32_t key, std::uint64_t address, std::uint64_t length,
                                const ibv_pd* domain, unsigned access) const {
  const Region* region = find(key);
  if (region == nullptr || region->pd != domain || (region->access & access) != access) {
    return nullptr;
  }
  const std::uint64_t offset = address - region->iova;
  if (offset > region->length || length > region->length - offset) return nullptr;
  return region->bytes + offset;
}

std::byte* MemoryTable::resolve_remote(std::uint32_t key, std::uint64_t address,
                                       std::uint64_t length, const Accessor& by,
                                       unsigned access) const {
  return is_window(key) ? windows.resolve(key, address, length, by, access)
                        : resolve(key, address, length, by.domain, access);
}

bool MemoryTable::resolve_all(std::span<ibv_sge> elements, const ibv_pd* domain,
                              unsigned access) const {
  const auto at = [&](const ibv_sge& element) {
    return resolve(element.lkey, element.addr, element.length, domain, access);
  };
  const bool all = std::ranges::all_of(elements, [&](const ibv_sge& element) {
    return element.length == 0 || at(element) != nullptr;
  });
  if (!all) return false;
  for (ibv_sge& element : elements) {
    if (element.length > 0) element.addr = reinterpret_cast<std::uintptr_t>(at(element));
  }
  return true;
}

std::uint64_t total_length(std::span<const ibv_sge> elements) {
  std::uint64_t total = 0;
  for (const ibv_sge& element : elements) total += element.length;
  return total;
}

std::size_t gather(std::span<const ibv_sge> elements, std::uint64_t offset, std::size_t length,
                   iovec* out) {
  std::size_t pieces = 0;
  for (const ibv_sge& element : elements) {
    if (length == 0) break;
    if (offset >= element.length) {
      offset -= element.length;
      continue;
    }
    const auto bytes = std::min<std::size_t>(element.length - offset, length);
    out[pieces++] = {host(element) + offset, bytes};
    length -= bytes;
    offset = 0;
  }
  return pieces;
}

bool put(std::byte* to, std::span<const std::byte> data) {
  return guarded([&] { std::memcpy(to, data.data(), data.size()); });
}

bool scatter(std::span<const ibv_sge> elements, std::uint64_t offset,
             std::span<const std::byte> data) {
  for (const ibv_sge& element : elements) {
    if (data.empty()) return true;
    if (offset >= element.length) {
      offset -= element.length;
      continue;
    }
    const auto bytes = std::min<std::size_t>(element.length - offset, data.size());
    if (!put(host(element) + offset, data.first(bytes))) return false;
    data = data.subspan(bytes);
    offset = 0;
  }
  return true;
}

}  // namespace railgauge::softroce
