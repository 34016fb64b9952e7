// For every target of Highway's once: no pragma once.
#if defined(RAILGAUGE_REDUCE_LOOP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef RAILGAUGE_REDUCE_LOOP_INL_HPP
#undef RAILGAUGE_REDUCE_LOOP_INL_HPP
#else
#define RAILGAUGE_REDUCE_LOOP_INL_HPP
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include "reduce/element_type.hpp"

HWY_BEFORE_NAMESPACE();
namespace railgauge::reduce::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// Bytes are what is loaded and stored: they may be aligned to an element only, and alias anything.
using Bytes = hn::ScalableTag<std::uint8_t>;
using ByteVector = hn::Vec<Bytes>;

template <class T>
using Lanes = hn::Repartition<T, Bytes>;

/// Applies `op`, which takes and gives whole vectors of bytes, to `bytes` bytes of `a` and `b`.
/// The rest that fills no vector goes through a copy. Stores are ordinary ones: what is combined is
/// sent next, or combined again, and is better off in the cache.
///
/// An `Op` says with kAhead so many bytes ahead memory is asked for, if not 0. Where it takes many
/// instructions the processor does not look that far by itself, and waits and computes in turns;
/// where it takes few, asking is in the way.
template <class Op>
HWY_INLINE void apply(const Op& op, std::byte* out, const std::byte* a, const std::byte* b,
                      std::size_t bytes) {
  const Bytes d;
  const std::size_t step = hn::Lanes(d);
  auto* to = reinterpret_cast<std::uint8_t*>(out);
  const auto* left = reinterpret_cast<const std::uint8_t*>(a);
  const auto* right = reinterpret_cast<const std::uint8_t*>(b);
  std::size_t at = 0;
  for (; at + step <= bytes; at += step) {
    if constexpr (Op::kAhead > 0) {
      hwy::Prefetch(left + at + Op::kAhead);
      hwy::Prefetch(right + at + Op::kAhead);
    }
    hn::StoreU(op(hn::LoadU(d, left + at), hn::LoadU(d, right + at)), d, to + at);
  }
  if (at == bytes) return;
  HWY_ALIGN std::uint8_t last_left[hn::MaxLanes(Bytes())] = {};
  HWY_ALIGN std::uint8_t last_right[hn::MaxLanes(Bytes())] = {};
  std::memcpy(last_left, left + at, bytes - at);
  std::memcpy(last_right, right + at, bytes - at);
  hn::Store(op(hn::Load(d, last_left), hn::Load(d, last_right)), d, last_left);
  std::memcpy(to + at, last_left, bytes - at);
}

/// `Op` is made of the number of ranks, which only averages remember.
template <std::size_t kElementBytes, class Op>
void combine(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count,
             std::uint32_t ranks) noexcept {
  apply(Op(ranks), out, a, b, count * kElementBytes);
}

/// Highway's own came with 0.17, after Ubuntu 22.04's. Its Ne() is false for NaN where the
/// processor compares ordered numbers.
template <class V>
HWY_INLINE auto is_nan(V value) {
  return hn::Not(hn::Eq(value, value));
}

/// a op b of vectors of float or double. Of avg only the sum: who completes divides.
/// Highway's Min and Max are the processor's, which do not agree about NaN.
template <Operator kOp, class V>
HWY_INLINE V float_combined(V a, V b) {
  if constexpr (kOp == Operator::sum || kOp == Operator::avg) {
    return hn::Add(a, b);
  } else if constexpr (kOp == Operator::prod) {
    return hn::Mul(a, b);
  } else {
    const auto takes_b = kOp == Operator::min ? hn::Lt(b, a) : hn::Lt(a, b);
    return hn::IfThenElse(hn::Or(takes_b, is_nan(b)), b, a);
  }
}

#endif
}  // namespace railgauge::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // RAILGAUGE_REDUCE_LOOP_INL_HPP
