#pragma once

// Polynomials over GF(2) modulo that of Ethernet's CRC-32, in which a CRC is a remainder.

#include <array>
#include <cstdint>

namespace railgauge::softroce {

/// Ethernet's polynomial, reflected: bit 31 is the coefficient of x^0, bit 0 that of x^31.
inline constexpr std::uint32_t kPolynomial = 0xedb88320;

constexpr std::uint32_t times_x(std::uint32_t value) {
  return value >> 1 ^ (kPolynomial & (0U - (value & 1U)));
}

constexpr std::uint32_t multiply(std::uint32_t left, std::uint32_t right) {
  std::uint32_t product = 0;
  for (unsigned power = 0; power < 32; ++power) {
    product ^= right & (0U - (left >> (31 - power) & 1U));
    right = times_x(right);
  }
  return product;
}

/// x to the power of -8 * 2^i, for every bit of a packet's size: 1 = x * x^-1 modulo the polynomial
/// gives x^-1, and squaring gives the rest.
inline constexpr std::array<std::uint32_t, 17> kInverseOfBytes = [] {
  constexpr std::uint32_t kOne = 1U << 31;
  std::uint32_t power = (kOne ^ kPolynomial) << 1 | 1U;
  for (int doubling = 0; doubling < 3; ++doubling) power = multiply(power, power);
  std::array<std::uint32_t, 17> inverses{};
  for (std::uint32_t& inverse : inverses) {
    inverse = power;
    power = multiply(power, power);
  }
  return inverses;
}();

/// x to the power of -8 * bytes.
constexpr std::uint32_t inverse_of_bytes(std::uint32_t bytes) {
  std::uint32_t product = 1U << 31;
  for (const std::uint32_t inverse : kInverseOfBytes) {
    if ((bytes & 1U) != 0) product = multiply(product, inverse);
    bytes >>= 1;
  }
  return product;
}

}  // namespace railgauge::softroce
