#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reduce/float_kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include "reduce/definition.hpp"
#include "reduce/kernel.hpp"
#include "reduce/loop-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace railgauge::reduce::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

Kernel float_kernel(ElementType type, Operator op) {
  return definition(type, op);
}

#else

template <class T, Operator kOp>
struct FloatOp {
  static constexpr std::size_t kAhead = 0;

  explicit FloatOp(std::uint32_t ranks) : divisor(static_cast<T>(ranks)) {}

  HWY_INLINE ByteVector operator()(ByteVector a, ByteVector b) const {
    const Lanes<T> d;
    auto result = float_combined<kOp>(hn::BitCast(d, a), hn::BitCast(d, b));
    if constexpr (kOp == Operator::avg) result = hn::Div(result, hn::Set(d, divisor));
    return hn::BitCast(Bytes(), result);
  }

  T divisor;
};

template <Operator kOp>
Kernel kernel_of(ElementType type) {
  if (type == ElementType::float32) return combine<sizeof(float), FloatOp<float, kOp>>;
  return combine<sizeof(double), FloatOp<double, kOp>>;
}

Kernel float_kernel(ElementType type, Operator op) {
  return visit(op, [&]<Operator kOp>() { return kernel_of<kOp>(type); });
}

#endif

}  // namespace
}  // namespace railgauge::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace railgauge::reduce {

HWY_EXPORT(float_kernel);

Kernel float_kernel(ElementType type, Operator op) {
  return HWY_DYNAMIC_DISPATCH(float_kernel)(type, op);
}

}  // namespace railgauge::reduce
#endif
