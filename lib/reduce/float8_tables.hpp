#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace railgauge::reduce {

/// How to add 8-bit floats in whole numbers of 8 bits, as tables. `kMantissaBits` is 2 for E5M2, 3
/// for E4M3, which has no infinity.
///
/// A magnitude's code is its base plus its significand, hidden bit included. The base is the
/// exponent (1 for a subnormal) less 1, in the exponent's place; the value is the significand x
/// 2^(exponent - 1) x the least subnormal. As a significand that has grown a bit carries into the
/// exponent, base plus rounded significand is the code of a sum, too.
///
/// Three bits more than it has let the lesser significand be aligned to the greater one and the sum
/// be rounded as if it were exact: guard, round and sticky, which is set when anything was lost
/// (Muller et al., Handbook of Floating-Point Arithmetic, "Floating-point addition and
/// subtraction").
template <int kMantissaBits, bool kInfinite>
class Float8Tables {
 public:
  static constexpr bool kHasInfinity = kInfinite;
  static constexpr int kInfinity = 0x7c;  ///< if there is one
  static constexpr int kGreatest = kInfinite ? kInfinity - 1 : 0x7e;
  static constexpr int kLastNumber = kInfinite ? kInfinity : kGreatest;  ///< beyond it is NaN

 private:
  using Byte = std::uint8_t;

  static constexpr int kGuardBits = 3;
  static constexpr int kHidden = 1 << kMantissaBits;
  static constexpr int kOne = kHidden << kGuardBits;
  static constexpr int kGreatestBase = 0x80 - 2 * kHidden;

  static constexpr int base(int code) {
    const int exponent = code & -kHidden;
    return exponent == 0 ? 0 : exponent - kHidden;
  }
  static constexpr int significand(int code) { return code - base(code); }

  static constexpr bool is_infinite(int code) { return kInfinite && code == kInfinity; }

  /// In kCancelled the sums are apart of numbers whose exponent is so much above the least. The
  /// bits that say where are none that such a number's code has.
  static constexpr std::array<int, 4> kRegions{64, 0, 32, 64};
  static constexpr int region(int code) {
    const auto exponent = static_cast<std::size_t>(base(code) >> kMantissaBits);
    return exponent <= kMantissaBits ? kRegions[exponent] : 0;
  }
  /// Where no sum leads: those of region 0 are less, of 32 even, of 64 next to multiples of 8.
  static constexpr int kInfinityLessItself = 115;

  static constexpr int aligned(int significand, int shift) {
    const int guarded = significand << kGuardBits;
    const int lost = guarded & ((1 << shift) - 1);
    const bool sticky = lost != 0 || (significand == 0 && shift == 0);
    return (guarded >> shift) | (sticky ? 1 : 0);
  }
  /// value / 2^bits, to the nearest, of two the even one.
  static constexpr int rounded(int value, int bits) {
    const int quotient = value >> bits;
    const int twice_rest = 2 * (value & ((1 << bits) - 1));
    const bool up = twice_rest > (1 << bits) || (twice_rest == (1 << bits) && quotient % 2 == 1);
    return up ? quotient + 1 : quotient;
  }
  static constexpr int normalised(int sum) {
    if (sum >= 2 * kOne) return kHidden + rounded(sum, kGuardBits + 1);
    int places = 0;
    while (sum << places < kOne) ++places;
    return rounded(sum << places, kGuardBits) - places * kHidden;
  }

  template <std::size_t kSize, class Entry>
  static constexpr std::array<Byte, kSize> table(const Entry& entry) {
    std::array<Byte, kSize> bytes{};
    for (std::size_t i = 0; i < kSize; ++i) {
      bytes[i] = static_cast<Byte>(entry(static_cast<int>(i)));
    }
    return bytes;
  }

 public:
  /// By the code of the greater magnitude. With infinity's every sum saturates.
  static constexpr auto kBase =
      table<128>([](int code) { return is_infinite(code) ? 0xff : base(code); });
  /// Its significand with guard bits. Zero has sticky set, so that of all sums only x - x is 0,
  /// where x is a number: infinity less itself leads to a place of its own, and of NaN no sum is 0.
  static constexpr auto kGuarded = table<128>([](int code) {
    if (code > kLastNumber) return 2 * kOne;
    const int guarded = aligned(significand(code), 0);
    return is_infinite(code) ? kInfinityLessItself + guarded : guarded;
  });

  /// The lesser significand, aligned to the greater one; by 2 x the distance of their bases, plus
  /// it. As far away as the end or farther only sticky is left, and rounds to nothing, so that it
  /// does not matter if the lesser one is 0.
  static constexpr auto kAligned =
      table<128>([](int i) { return aligned(i % (2 * kHidden), i / (2 * kHidden)); });
  /// Where that is: the sum of what stands here by the code of each, signed and saturating.
  static constexpr auto kPlaceOfLesser =
      table<128>([](int code) { return significand(code) - 2 * base(code) + kGreatestBase; });
  static constexpr auto kPlaceOfGreater =
      table<128>([](int code) { return 2 * base(code) - kGreatestBase; });

  /// By the sum of the significands: what is to be added to the greater one's base, if the result
  /// is normal or no place was cancelled, and kBias. Because of that, a code beyond the greatest
  /// saturates to it, and base plus the 0 of no sum is less than kBias.
  static constexpr int kBias = 0xff - kGreatest;
  static constexpr auto kRounded =
      table<32 * kHidden>([](int sum) { return sum == 0 ? 0 : kBias + normalised(sum); });

  /// By the code of the greater magnitude: what of it stays in the result, the sign, and of NaN
  /// all; and the region.
  static constexpr auto kKept = table<128>([](int code) {
    return code > kLastNumber ? 0xff : 0x80 | (is_infinite(code) ? 0 : region(code));
  });
  /// By the sum of the significands and that, modulo 128: the code of a subnormal difference,
  /// greater than what the table before makes of it; NaN for the difference of infinities; for all
  /// else something that is less than a normal code. More than one place is only cancelled by
  /// exponents that differ by one at most, and then 4 at the most: such a sum is a multiple of 4.
  /// If the exponent is the least it is one of 8, or next to it because of a zero's sticky.
  static constexpr auto kCancelled = [] {
    auto codes = table<128>([](int) { return 0; });
    for (std::size_t exponent = 0; exponent <= kMantissaBits; ++exponent) {
      for (int sum = 0; sum << exponent < kOne; sum += exponent == 0 ? 1 : 4) {
        const int at = kRegions[exponent] + sum;
        codes[static_cast<std::size_t>(at)] =
            static_cast<Byte>(rounded(sum << exponent, kGuardBits));
      }
    }
    if (kInfinite) codes[kInfinityLessItself] = 0x7f;
    return codes;
  }();
};

using E4M3Tables = Float8Tables<3, false>;
using E5M2Tables = Float8Tables<2, true>;

}  // namespace railgauge::reduce
