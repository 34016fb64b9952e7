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

/// A table of 128 or 256 bytes, in registers. Indexes are taken modulo its size.
template <std::size_t kSize>
class ByteTable {
 public:
  explicit ByteTable(const std::array<std::uint8_t, kSize>& bytes) {
    for (std::size_t i = 0; i < kVectors; ++i) part_[i] = hn::LoadU(Bytes(), &bytes[64 * i]);
  }

  HWY_INLINE ByteVector operator[](ByteVector index) const {
    if constexpr (kVectors == 2) {
      return of_two(part_[0], part_[1], index);
    } else {
      return hn::IfThenElse(hn::MaskFromVec(index), of_two(part_[2], part_[3], index),
                            of_two(part_[0], part_[1], index));
    }
  }

  HWY_INLINE ByteVector or_zero(hn::Mask<Bytes> wanted, ByteVector index) const {
    static_assert(kVectors == 2);
    return ByteVector{
        _mm512_maskz_permutex2var_epi8(wanted.raw, part_[0].raw, index.raw, part_[1].raw)};
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
    // Twice a code is its magnitude's order. Tables do not look at signs.
    const auto b_is_greater = hn::Lt(hn::Add(a, a), hn::Add(b, b));
    const auto greater = hn::IfThenElse(b_is_greater, b, a);
    const auto sum = sum_of(greater, hn::IfThenElse(b_is_greater, a, b), hn::Xor(a, b));
    const auto kept = kept_.or_zero(hn::Ne(sum, hn::Zero(d)), greater);
    const auto code = hn::Max(normal_of(base_[greater], sum), cancelled_[hn::Add(sum, kept)]);
    return hn::OrAnd(code, greater, kept);
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

  HWY_INLINE ByteVector normal_of(ByteVector base, ByteVector sum) const {
    const auto biased = hn::SaturatedAdd(base, rounded_[sum]);
    return hn::SaturatedSub(biased, hn::Set(Bytes(), Tables::kBias));
  }

  ByteTable<128> place_of_lesser_{Tables::kPlaceOfLesser};
  ByteTable<128> place_of_greater_{Tables::kPlaceOfGreater};
  ByteTable<128> aligned_{Tables::kAligned};
  ByteTable<128> guarded_{Tables::kGuarded};
  ByteTable<128> base_{Tables::kBase};
  ByteTable<Tables::kRounded.size()> rounded_{Tables::kRounded};
  ByteTable<128> kept_{Tables::kKept};
  ByteTable<128> cancelled_{Tables::kCancelled};
};

#endif
}  // namespace railgauge::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // RAILGAUGE_REDUCE_FLOAT8_SUMS_INL_HPP
