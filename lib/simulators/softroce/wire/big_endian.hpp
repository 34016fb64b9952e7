#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace railgauge::softroce {

/// Host to network order and back; the same function does both.
template <std::unsigned_integral Number>
constexpr Number big_endian(Number number) {
  if constexpr (std::endian::native == std::endian::big || sizeof(Number) == 1) return number;
  if constexpr (sizeof(Number) == 2) return static_cast<Number>(__builtin_bswap16(number));
  if constexpr (sizeof(Number) == 4) return __builtin_bswap32(number);
  if constexpr (sizeof(Number) == 8) return __builtin_bswap64(number);
}

/// Writes one number after the other; the caller guarantees the space.
class Writer {
 public:
  explicit Writer(std::byte* at) : at_(at) {}

  template <std::unsigned_integral Number>
  void number(Number value) {
    const Number ordered = big_endian(value);
    bytes(&ordered, sizeof ordered);
  }
  void bytes(const void* from, std::size_t count) {
    std::memcpy(at_, from, count);
    at_ += count;
  }
  std::byte* end() const { return at_; }

 private:
  std::byte* at_;
};

/// Reads one number after the other; the caller guarantees that they are there.
class Reader {
 public:
  explicit Reader(const std::byte* at) : at_(at) {}

  template <std::unsigned_integral Number>
  Number number() {
    Number ordered = 0;
    bytes(&ordered, sizeof ordered);
    return big_endian(ordered);
  }
  void bytes(void* to, std::size_t count) {
    std::memcpy(to, at_, count);
    at_ += count;
  }
  const std::byte* end() const { return at_; }

 private:
  const std::byte* at_;
};

}  // namespace railgauge::softroce
