#include "experiments/collective/buffer.hpp"

#include <array>
#include <utility>

namespace railgauge::runner {
namespace {

constexpr std::size_t kPage = 4096;  // so that the guard does not move the data off a page
constexpr std::size_t kGuard = 256;

/// Depends on the place, so that guards that were moved are broken too.
std::byte guard_byte(std::size_t at) {
  return static_cast<std::byte>(0xc5 ^ (at * 37));
}

using Guard = std::array<std::byte, kGuard>;

Guard intact() {
  Guard guard{};
  for (std::size_t i = 0; i < kGuard; ++i) guard[i] = guard_byte(i);
  return guard;
}

std::size_t wrong_bytes(const Guard& guard) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < guard.size(); ++i) wrong += guard[i] == guard_byte(i) ? 0 : 1;
  return wrong;
}

}  // namespace

Buffer::Buffer(const Allocate& allocate, std::size_t most, std::size_t off, Data& data)
    : data_(data), region_(allocate(kPage + off + most + kGuard).from(kPage + off)) {}

std::byte* Buffer::before() const {
  return region_.data - kGuard;
}

std::byte* Buffer::behind() const {
  return region_.data + used_;
}

void Buffer::guard(std::size_t used) {
  used_ = used;
  const Guard guard = intact();
  for (std::byte* place : {before(), behind()}) data_.write(place, guard);
}

std::string Buffer::broken() const {
  std::string text;
  for (const auto& [place, where] : {std::pair{before(), "before"}, {behind(), "behind"}}) {
    Guard guard{};
    data_.read(guard, place);
    const std::size_t wrong = wrong_bytes(guard);
    if (wrong == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(wrong) + " bytes were overwritten right " +
            where + " it";
  }
  return text;
}

}  // namespace railgauge::runner
