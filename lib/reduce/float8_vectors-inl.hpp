// For every target of Highway's once: no pragma once.
#if defined(RAILGAUGE_REDUCE_FLOAT8_VECTORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef RAILGAUGE_REDUCE_FLOAT8_VECTORS_INL_HPP
#undef RAILGAUGE_REDUCE_FLOAT8_VECTORS_INL_HPP
#else
#define RAILGAUGE_REDUCE_FLOAT8_VECTORS_INL_HPP
#endif

#include <array>
#include <cstddef>
#include <cstdint>

#include "reduce/element_type.hpp"
#include "reduce/float8_tables.hpp"
#include "reduce/loop-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace railgauge::reduce::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

/// The less or the greater of two 8-bit floats, of equals the first: magnitudes are in the order of
/// their codes.
template <class Tables, Operator kOp>
class Float8Extreme {
 public:
  static constexpr std::size_t kAhead = 0;

  explicit Float8Extreme(std::uint32_t /*ranks*/) {}

  HWY_INLINE ByteVector operator()(ByteVector a, ByteVector b) const {
    const auto left = hn::BitCast(Signed(), a);
    const auto right = hn::BitCast(Signed(), b);
    const auto magnitude_a = magnitude(left);
    const auto magnitude_b = magnitude(right);
    const auto order_a = ordered(left, magnitude_a);
    const auto order_b = ordered(right, magnitude_b);
    const auto takes_b = kOp == Operator::min ? hn::Lt(order_b, order_a) : hn::Lt(order_a, order_b);
    const auto number = bounded(hn::IfThenElse(takes_b, right, left));
    const auto greater = hn::Max(magnitude_a, magnitude_b);
    const auto is_nan = hn::Gt(greater, hn::Set(Signed(), Tables::kLastNumber));
    return hn::BitCast(Bytes(), hn::IfThenElse(is_nan, hn::Set(Signed(), 0x7f), number));
  }

 private:
  using Signed = Lanes<std::int8_t>;
  using SignedVector = hn::Vec<Signed>;

  static HWY_INLINE SignedVector magnitude(SignedVector code) {
    return hn::And(code, hn::Set(Signed(), 0x7f));
  }
  /// Zeros of both signs are the same.
  static HWY_INLINE SignedVector ordered(SignedVector code, SignedVector magnitude) {
    return hn::IfThenElse(hn::Lt(code, hn::Zero(Signed())), hn::Neg(magnitude), magnitude);
  }
  /// An infinity is no result.
  static HWY_INLINE SignedVector bounded(SignedVector code) {
    if constexpr (!Tables::kHasInfinity) return code;
    const Signed d;
    const auto is_infinite = hn::Eq(magnitude(code), hn::Set(d, Tables::kInfinity));
    return hn::Sub(code, hn::IfThenElseZero(is_infinite, hn::Set(d, 1)));
  }
};

#endif

// Tables of 128 bytes are looked up by one instruction, VPERMI2B of AVX-512 VBMI. Elsewhere, where
// it takes several for 16, sums of floats are faster. Highway 0.16 compiles this target without
// VBMI.
#define RAILGAUGE_LOOKS_UP_FLOAT8 (HWY_MAJOR >= 1 && HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL)
#if RAILGAUGE_LOOKS_UP_FLOAT8

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

#endif  // RAILGAUGE_REDUCE_FLOAT8_VECTORS_INL_HPP
