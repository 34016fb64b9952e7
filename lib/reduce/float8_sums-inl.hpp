// For every target of Highway's once: no pragma once.
#if defined(RAILGAUGE_REDUCE_FLOAT8_SUMS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef RAILGAUGE_REDUCE_FLOAT8_SUMS_INL_HPP
#undef RAILGAUGE_REDUCE_FLOAT8_SUMS_INL_HPP
#else
#define RAILGAUGE_REDUCE_FLOAT8_SUMS_INL_HPP
#endif

#include <array>
#include <cstddef>
#include <cstdint>

#include "reduce/float8_tables.hpp"
#include "reduce/loop-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace railgauge::reduce::HWY_NAMESPACE {
// Tables of 128 bytes are looked up by one instruction, VPERMI2B of AVX-512 VBMI. Elsewhere, where
// it takes several for 16, sums of floats are faster.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL  // or better

/// A table of 64, 128 or 256 bytes, in registers. Indexes are taken modulo its size.
template <std::size_t kSize>
class ByteTable {
 public:
  explicit ByteTable(const std::array<std::uint8_t, kSize>& bytes) {
    for (std::size_t i = 0; i < kVectors; ++i) part_[i] = hn::LoadU(Bytes(), &bytes[64 * i]);
  }

  HWY_INLINE ByteVector operator[](ByteVector index) const {
    if constexpr (kVectors == 1) {
      return ByteVector{_mm512_permutexvar_epi8(index.raw, part_[0].raw)};
    } else if constexpr (kVectors == 2) {
      return of_two(part_[0], part_[1], index);
    } else {
      return hn::IfThenElse(hn::MaskFromVec(index), of_two(part_[2], part_[3], index),
                            of_two(part_[0], part_[1], index));
    }
  }

 private:
  static constexpr std::size_t kVectors = kSize / 64;

  static HWY_INLINE ByteVector of_two(ByteVector a, ByteVector b, ByteVector index) {
    return ByteVector{_mm512_permutex2var_epi8(a.raw, index.raw, b.raw)};
  }

  ByteVector part_[kVectors];
};

/// a + b, rounded once to the nearest, of two the even one, 64 at a time and without ever leaving
/// bytes: as Float8Tables has it.
template <class Tables>
class Float8Sum {
 public:
  static constexpr std::size_t kAhead = 2048;

  explicit Float8Sum(std::uint32_t /*ranks*/) {}

  HWY_INLINE ByteVector operator()(ByteVector a, ByteVector b) const {
    const Bytes d;
    const auto magnitude_a = hn::And(a, hn::Set(d, 0x7f));
    const auto magnitude_b = hn::And(b, hn::Set(d, 0x7f));
    const auto greater = hn::Max(magnitude_a, magnitude_b);
    const auto signs = hn::IfThenElse(hn::Lt(magnitude_a, magnitude_b), b, a);
    const auto differing = hn::Xor(a, b);
    const auto is_zero = hn::Eq(differing, hn::Set(d, 0x80));
    const auto sum = sum_of(greater, hn::Min(magnitude_a, magnitude_b), differing);
    const auto code = code_of(base_[greater], sum);
    if constexpr (Tables::kHasInfinity) return with_infinities(code, greater, signs, is_zero);
    const auto number = hn::IfThenZeroElse(is_zero, with_signs(code, signs));
    return hn::IfThenElse(hn::Eq(greater, hn::Set(d, 0x7f)), greater, number);  // NaN
  }

 private:
  /// Of the significands, with guard bits; their difference where the signs differ.
  HWY_INLINE ByteVector sum_of(ByteVector greater, ByteVector lesser, ByteVector differing) const {
    const Lanes<std::int8_t> d;
    const auto place = hn::SaturatedAdd(hn::BitCast(d, place_of_lesser_[lesser]),
                                        hn::BitCast(d, place_of_greater_[greater]));
    const auto small = aligned_[hn::BitCast(Bytes(), place)];
    const auto large = guarded_[greater];
    return hn::IfThenElse(hn::MaskFromVec(differing), hn::Sub(large, small), hn::Add(large, small));
  }

  HWY_INLINE ByteVector code_of(ByteVector base, ByteVector sum) const {
    const Bytes d;
    const Lanes<std::uint16_t> pairs;
    const auto biased = hn::SaturatedAdd(base, rounded_[sum]);
    const auto normal = hn::SaturatedSub(biased, hn::Set(d, Tables::kBias));
    // A neighbour has no bits that would come in: in its base they are 0.
    const auto exponent = hn::ShiftRight<Tables::kExponentPlace>(hn::BitCast(pairs, base));
    return hn::Max(normal, cancelled_[hn::Add(sum, hn::BitCast(d, exponent))]);
  }

  static HWY_INLINE ByteVector with_signs(ByteVector code, ByteVector signs) {
    return hn::OrAnd(code, signs, hn::Set(Bytes(), 0x80));
  }

  /// An infinite sum becomes the greatest finite number, the difference of infinities a NaN.
  HWY_INLINE ByteVector with_infinities(ByteVector code, ByteVector greater, ByteVector signs,
                                        hn::Mask<Bytes> is_zero) const {
    const Bytes d;
    const auto is_finite = hn::Lt(greater, hn::Set(d, Tables::kInfinity));
    const auto one_if_zero = hn::IfThenElseZero(is_zero, hn::Set(d, 1));
    const auto special = special_[hn::Add(greater, one_if_zero)];
    const auto result = with_signs(hn::IfThenElse(is_finite, code, special), signs);
    return hn::IfThenZeroElse(hn::And(is_finite, is_zero), result);
  }

  ByteTable<128> place_of_lesser_{Tables::kPlaceOfLesser};
  ByteTable<128> place_of_greater_{Tables::kPlaceOfGreater};
  ByteTable<128> aligned_{Tables::kAligned};
  ByteTable<128> guarded_{Tables::kGuarded};
  ByteTable<128> base_{Tables::kBase};
  ByteTable<Tables::kRounded.size()> rounded_{Tables::kRounded};
  ByteTable<64> cancelled_{Tables::kCancelled};
  ByteTable<64> special_{Tables::kSpecial};
};

#endif
}  // namespace railgauge::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // RAILGAUGE_REDUCE_FLOAT8_SUMS_INL_HPP
