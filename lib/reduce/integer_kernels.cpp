#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reduce/integer_kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include "reduce/definition.hpp"
#include "reduce/kernel.hpp"
#include "reduce/loop-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace railgauge::reduce::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

Kernel integer_kernel(ElementType type, Operator op) {
  return definition(type, op);
}

#else

/// The lower half of a product is the same of signed and of unsigned numbers, so these are
/// unsigned. Highway 1.0.3 multiplies lanes of 16 and 32 bits.
HWY_INLINE ByteVector product_of_8_bits(ByteVector a, ByteVector b) {
  const Lanes<std::uint16_t> d;
  const auto pairs_a = hn::BitCast(d, a);
  const auto pairs_b = hn::BitCast(d, b);
  const auto even = hn::And(hn::Mul(pairs_a, pairs_b), hn::Set(d, 0xff));
  const auto odd = hn::Mul(hn::ShiftRight<8>(pairs_a), hn::ShiftRight<8>(pairs_b));
  return hn::BitCast(Bytes(), hn::Or(even, hn::ShiftLeft<8>(odd)));
}

/// (a1 2^32 + a0) (b1 2^32 + b0) = (a1 b0 + a0 b1) 2^32 + a0 b0, modulo 2^64.
HWY_INLINE ByteVector product_of_64_bits(ByteVector a, ByteVector b) {
  const Lanes<std::uint32_t> d32;
  const Lanes<std::uint64_t> d64;
  const auto low_a = hn::BitCast(d32, a);
  const auto low_b = hn::BitCast(d32, b);
  const auto high_a = hn::BitCast(d32, hn::ShiftRight<32>(hn::BitCast(d64, a)));
  const auto high_b = hn::BitCast(d32, hn::ShiftRight<32>(hn::BitCast(d64, b)));
  const auto crossed = hn::Add(hn::MulEven(high_a, low_b), hn::MulEven(low_a, high_b));
  return hn::BitCast(Bytes(), hn::Add(hn::ShiftLeft<32>(crossed), hn::MulEven(low_a, low_b)));
}

template <class T>
HWY_INLINE ByteVector product(ByteVector a, ByteVector b) {
  if constexpr (sizeof(T) == 1) {
    return product_of_8_bits(a, b);
  } else if constexpr (sizeof(T) == 4) {
    const Lanes<T> d;
    return hn::BitCast(Bytes(), hn::Mul(hn::BitCast(d, a), hn::BitCast(d, b)));
  } else {
    return product_of_64_bits(a, b);
  }
}

template <class T, Operator kOp>
struct IntegerOp {
  static constexpr std::size_t kAhead = 0;

  explicit IntegerOp(std::uint32_t /*ranks*/) {}

  HWY_INLINE ByteVector operator()(ByteVector a, ByteVector b) const {
    if constexpr (kOp == Operator::prod) return product<T>(a, b);
    const Lanes<T> d;
    const auto left = hn::BitCast(d, a);
    const auto right = hn::BitCast(d, b);
    if constexpr (kOp == Operator::sum) return hn::BitCast(Bytes(), hn::Add(left, right));
    if constexpr (kOp == Operator::min) return hn::BitCast(Bytes(), hn::Min(left, right));
    return hn::BitCast(Bytes(), hn::Max(left, right));
  }
};

template <Operator kOp>
Kernel kernel_of(ElementType type) {
  // Vectors have no division of integers; only the last combination of a block divides.
  if constexpr (kOp == Operator::avg) {
    return definition(type, kOp);
  } else {
    return visit(type, []<class T>(T) -> Kernel {
      if constexpr (std::is_integral_v<T>) return combine<sizeof(T), IntegerOp<T, kOp>>;
      return nullptr;
    });
  }
}

Kernel integer_kernel(ElementType type, Operator op) {
  return visit(op, [&]<Operator kOp>() { return kernel_of<kOp>(type); });
}

#endif

}  // namespace
}  // namespace railgauge::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace railgauge::reduce {

HWY_EXPORT(integer_kernel);

Kernel integer_kernel(ElementType type, Operator op) {
  return HWY_DYNAMIC_DISPATCH(integer_kernel)(type, op);
}

}  // namespace railgauge::reduce
#endif
