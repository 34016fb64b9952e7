// What the kernels take from the C++ library, which hiprtc does not have. Its text comes first in
// what hiprtc compiles; there, std is this. Nothing else includes it.

#ifdef __HIP__
#pragma clang force_cuda_host_device begin
#endif

namespace standard {

using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long;
using uint64_t = unsigned long;
using size_t = unsigned long;
using uintptr_t = unsigned long;
enum class byte : unsigned char {};

// Named, and not used.
class string_view;
template <class T>
class optional;

template <class T, size_t kCount>
struct array {
  T elements[kCount];
};
template <class T, class... Others>
array(T, Others...) -> array<T, 1 + sizeof...(Others)>;

template <class T>
struct Integer {
  static constexpr bool kIs = false;
};
template <class T, class SameSize>
struct IntegerOf {
  static constexpr bool kIs = true;
  static constexpr bool kSigned = static_cast<T>(-1) < static_cast<T>(0);
  static constexpr T kMax = static_cast<T>(static_cast<SameSize>(-1) >> (kSigned ? 1U : 0U));
  using Unsigned = SameSize;
};
template <>
struct Integer<int8_t> : IntegerOf<int8_t, uint8_t> {};
template <>
struct Integer<uint8_t> : IntegerOf<uint8_t, uint8_t> {};
template <>
struct Integer<int32_t> : IntegerOf<int32_t, uint32_t> {};
template <>
struct Integer<uint32_t> : IntegerOf<uint32_t, uint32_t> {};
template <>
struct Integer<int64_t> : IntegerOf<int64_t, uint64_t> {};
template <>
struct Integer<uint64_t> : IntegerOf<uint64_t, uint64_t> {};

template <class T>
struct Floating {
  static constexpr bool kIs = false;
};
template <>
struct Floating<float> {
  static constexpr bool kIs = true;
};
template <>
struct Floating<double> {
  static constexpr bool kIs = true;
};

template <class T>
inline constexpr bool is_integral_v = Integer<T>::kIs;
template <class T>
inline constexpr bool is_signed_v = Integer<T>::kSigned;
template <class T>
inline constexpr bool is_floating_point_v = Floating<T>::kIs;
template <class T>
inline constexpr bool is_arithmetic_v = is_integral_v<T> || is_floating_point_v<T>;
template <class T>
using make_unsigned_t = typename Integer<T>::Unsigned;
template <class A, class B>
using common_type_t = decltype(true ? A{} : B{});

template <class T>
struct numeric_limits {
  static constexpr T max() { return Integer<T>::kMax; }
  static constexpr T min() { return is_signed_v<T> ? static_cast<T>(-max() - 1) : T{0}; }
};

template <class T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
constexpr bool isnan(T value) {
  return value != value;
}
template <class To, class From>
constexpr To bit_cast(From from) {
  return __builtin_bit_cast(To, from);
}

}  // namespace standard

#define std standard
