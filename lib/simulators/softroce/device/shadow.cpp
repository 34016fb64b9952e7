#include "softroce/device/shadow.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "softroce/device/memory.hpp"
#include "softroce/device/work_queues.hpp"

namespace railgauge::softroce {

namespace {

// What a copy takes to start is less than what it takes to carry this out.
constexpr std::uint64_t kPieceBytes = std::uint64_t{64} * 1024;

}  // namespace

void ShadowTable::remove(Shadow& shadow) {
  shadows_.erase(shadow.bytes());
  std::erase(busy_, &shadow);
}

bool ShadowTable::start(Copy direction, const std::byte* first, std::size_t length) {
  auto next = shadows_.upper_bound(first);
  if (next == shadows_.begin()) return false;
  Shadow& shadow = *std::prev(next)->second;
  const auto offset = static_cast<std::uint64_t>(first - shadow.bytes());
  if (offset >= shadow.length()) return false;
  if (!shadow.start(direction, offset, std::min(length, shadow.length() - offset))) ++failed_;
  if (std::ranges::find(busy_, &shadow) == busy_.end()) busy_.push_back(&shadow);
  return true;
}

bool ShadowTable::start(Copy direction, std::span<const ibv_sge> elements, std::uint64_t offset,
                        std::uint64_t length) {
  if (empty()) return false;
  std::array<iovec, kMaxElements> pieces{};
  const std::size_t count = gather(elements, offset, length, pieces.data());
  bool any = false;
  for (const iovec& piece : std::span(pieces).first(count)) {
    any = start(direction, static_cast<const std::byte*>(piece.iov_base), piece.iov_len) || any;
  }
  return any;
}

bool ShadowTable::finish(Mark since) {
  for (Shadow* shadow : std::exchange(busy_, {})) {
    if (!shadow->finish()) ++failed_;
  }
  return failed_ == since;
}

bool ShadowTable::copy(Copy direction, std::span<const ibv_sge> elements, std::uint64_t offset,
                       std::uint64_t length) {
  const Mark before = mark();
  return !start(direction, elements, offset, length) || finish(before);
}

void Landing::begin(const ShadowTable& shadows) {
  started_ = 0;
  mark_ = shadows.mark();
  any_ = false;
}

void Landing::arrived(ShadowTable& shadows, std::span<const ibv_sge> elements, std::uint64_t bytes,
                      bool last) {
  if (shadows.empty() || (!last && bytes - started_ < kPieceBytes)) return;
  any_ = shadows.start(Copy::to_device, elements, started_, bytes - started_) || any_;
  started_ = bytes;
}

}  // namespace railgauge::softroce
