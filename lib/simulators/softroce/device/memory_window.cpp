#include "softroce/device/memory_window.hpp"

#include <sys/random.h>

#include <cerrno>
#include <system_error>

#include "softroce/device/memory.hpp"

namespace railgauge::softroce {

namespace {

constexpr unsigned kRemoteWrites = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;

constexpr bool inside(std::uint64_t offset, std::uint64_t length, std::uint64_t size) {
  return offset <= size && length <= size - offset;
}

}  // namespace

std::uint32_t unguessable() {
  std::uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) == sizeof number) return number;
  throw std::system_error(errno, std::generic_category(), "getrandom");
}

Binding binding_of(const ibv_mw& mw, std::uint8_t tag, const ibv_mw_bind_info& info) {
  const auto& window = static_cast<const Window&>(mw);
  return {.place = window.place,
          .identity = window.identity,
          .tag = tag,
          .region_key = info.mr == nullptr ? 0 : info.mr->lkey,
          .address = info.addr,
          .length = info.length,
          .access = info.mw_access_flags};
}

Window* WindowTable::add(ibv_pd* domain, ibv_mw_type type) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(windows_.size()));
    windows_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  auto window = std::make_unique<Window>();
  window->context = domain->context;
  window->pd = domain;
  window->type = type;
  window->place = place;
  window->identity = next_identity_++;
  window->key = window->rkey = kWindowBit | ((place ^ hidden_) << kTagBits) | next_tag_;
  next_tag_ = next_tag(next_tag_);
  windows_[place] = std::move(window);
  return windows_[place].get();
}

void WindowTable::remove(Window* window) {
  const std::uint32_t place = window->place;
  unbind(*window);
  windows_[place].reset();
  free_.push_back(place);
}

Window* WindowTable::find(std::uint32_t key) const {
  const std::uint32_t place = ((key & ~kWindowBit) >> kTagBits) ^ hidden_;
  if (place >= windows_.size() || windows_[place] == nullptr) return nullptr;
  Window& window = *windows_[place];
  return window.key == key && window.region != nullptr ? &window : nullptr;
}

Window* WindowTable::named(const Binding& binding) const {
  if (binding.place >= windows_.size()) return nullptr;
  Window* window = windows_[binding.place].get();
  return window != nullptr && window->identity == binding.identity ? window : nullptr;
}

bool WindowTable::may_bind(const Window& window, const Binding& binding, const Region* region,
                           const Accessor& by) {
  const bool second_type = window.type == IBV_MW_TYPE_2;
  if (window.pd != by.domain) return false;                   // C10-72
  if (second_type && window.region != nullptr) return false;  // o10-37.2.30
  if (binding.length == 0) return !second_type;               // o10-37.2.40
  if (region == nullptr || region->pd != by.domain) return false;
  if ((region->access & IBV_ACCESS_MW_BIND) == 0) return false;  // C10-73
  const bool zero_based = (binding.access & IBV_ACCESS_ZERO_BASED) != 0;
  if (zero_based && !second_type) return false;  // o10-36.2.2
  if ((binding.access & kRemoteWrites) != 0 && (region->access & IBV_ACCESS_LOCAL_WRITE) == 0) {
    return false;  // C10-74
  }
  return inside(binding.address - region->iova, binding.length, region->length);  // C10-75
}

bool WindowTable::bind(const Binding& binding, Region* region, const Accessor& by) {
  Window* window = named(binding);
  if (window == nullptr || !may_bind(*window, binding, region, by)) return false;
  unbind(*window);
  window->key = (window->key & ~kTagMask) | binding.tag;
  if (binding.length == 0) return true;
  const bool zero_based = (binding.access & IBV_ACCESS_ZERO_BASED) != 0;
  window->region = region;
  window->bytes = region->bytes + (binding.address - region->iova);
  window->start = zero_based ? 0 : binding.address;
  window->size = binding.length;
  window->access = binding.access;
  window->queue_pair = by.queue_pair;
  ++region->windows;
  return true;
}

void WindowTable::unbind(Window& window) {
  if (window.region == nullptr) return;
  --window.region->windows;
  window.region = nullptr;
}

bool WindowTable::invalidate(std::uint32_t key, const Accessor& by) {
  Window* window = is_window(key) ? find(key) : nullptr;
  if (window == nullptr || window->type != IBV_MW_TYPE_2) return false;  // o10-37.2.26
  if (window->pd != by.domain || window->queue_pair != by.queue_pair) return false;
  unbind(*window);
  return true;
}

std::byte* WindowTable::resolve(std::uint32_t key, std::uint64_t address, std::uint64_t length,
                                const Accessor& by, unsigned access) const {
  const Window* window = find(key);
  if (window == nullptr || window->pd != by.domain || (window->access & access) != access) {
    return nullptr;
  }
  if (window->type == IBV_MW_TYPE_2 && window->queue_pair != by.queue_pair) return nullptr;
  const std::uint64_t offset = address - window->start;
  return inside(offset, length, window->size) ? window->bytes + offset : nullptr;
}

}  // namespace railgauge::softroce
