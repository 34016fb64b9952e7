#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "reduce/narrow_float.hpp"

namespace railgauge::reduce {
namespace {

/// What the formats' specifications say, in double, and by no means cleverly.
struct Format {
  int exponent_bits;
  int mantissa_bits;
  bool saturates;
  bool has_infinity;

  [[nodiscard]] double value(unsigned code) const {
    const unsigned mantissa = code & ((1U << mantissa_bits) - 1U);
    const unsigned exponent = (code >> mantissa_bits) & ((1U << exponent_bits) - 1U);
    const double sign = (code >> (exponent_bits + mantissa_bits)) == 0 ? 1 : -1;
    const bool top = exponent == (1U << exponent_bits) - 1U;
    if (top && has_infinity) return mantissa == 0 ? sign * HUGE_VAL : NAN;
    if (top && mantissa == (1U << mantissa_bits) - 1U) return NAN;
    const int power = exponent == 0 ? 1 : static_cast<int>(exponent);
    const double fraction = std::ldexp(mantissa, -mantissa_bits) + (exponent == 0 ? 0 : 1);
    return sign * std::ldexp(fraction, power - (1 << (exponent_bits - 1)) + 1);
  }
};

template <class T>
struct Case;
template <>
struct Case<Float16> {
  static constexpr Format kFormat{5, 10, false, true};
};
template <>
struct Case<BFloat16> {
  static constexpr Format kFormat{8, 7, false, true};
};
template <>
struct Case<Float8E4M3> {
  static constexpr Format kFormat{4, 3, true, false};
};
template <>
struct Case<Float8E5M2> {
  static constexpr Format kFormat{5, 2, true, true};
};

template <class T>
class NarrowFloatTest : public testing::Test {
 protected:
  static constexpr Format kFormat = Case<T>::kFormat;
  static constexpr unsigned kCodes = 1U << (8 * sizeof(T));

  static T of_code(unsigned code) { return T::of_bits(static_cast<decltype(T::bits)>(code)); }

  /// The magnitudes from 0 up, by code, and where the format overflows the infinity after them as
  /// if its exponent were an ordinary one: what is nearer to that is infinite.
  static std::vector<double> finite() {
    std::vector<double> values;
    for (unsigned code = 0; std::isfinite(kFormat.value(code)); ++code) {
      values.push_back(kFormat.value(code));
    }
    if (!kFormat.saturates) values.push_back(2 * values.back() - values[values.size() - 2]);
    return values;
  }

  /// The nearest code by search, of two the even one.
  static unsigned nearest(const std::vector<double>& finite, double magnitude) {
    const auto above = std::lower_bound(finite.begin(), finite.end(), magnitude);
    if (above == finite.end()) return static_cast<unsigned>(finite.size() - 1);
    const auto code = static_cast<unsigned>(above - finite.begin());
    if (code == 0) return 0;
    const double up = *above - magnitude;
    const double down = magnitude - *(above - 1);
    if (up == down) return code % 2 == 0 ? code : code - 1;
    return up < down ? code : code - 1;
  }

  static void expect_rounds(const std::vector<double>& finite, float value) {
    const unsigned sign = std::signbit(value) ? kCodes / 2 : 0;
    EXPECT_EQ(T(value).bits, sign | nearest(finite, std::fabs(value))) << value;
  }
};

using Types = testing::Types<Float16, BFloat16, Float8E4M3, Float8E5M2>;
TYPED_TEST_SUITE(NarrowFloatTest, Types);

TYPED_TEST(NarrowFloatTest, HasTheValueThatItsFormatGivesEveryCode) {
  for (unsigned code = 0; code < this->kCodes; ++code) {
    const double wanted = this->kFormat.value(code);
    const auto value = static_cast<float>(this->of_code(code));
    if (std::isnan(wanted)) {
      EXPECT_TRUE(std::isnan(value)) << code;
    } else {
      EXPECT_EQ(value, wanted) << code;
      EXPECT_EQ(std::signbit(value), std::signbit(wanted)) << code;
    }
  }
}

TYPED_TEST(NarrowFloatTest, ComesBackFromFloat) {
  for (unsigned code = 0; code < this->kCodes; ++code) {
    const auto value = static_cast<float>(this->of_code(code));
    const TypeParam back(value);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(back))) << code;
    } else if (std::isinf(value) && this->kFormat.saturates) {
      EXPECT_EQ(back.bits, code - 1) << "an infinity becomes the greatest number";
    } else {
      EXPECT_EQ(back.bits, code);
    }
  }
}

/// Every number, every tie between two, and the floats next to both.
TYPED_TEST(NarrowFloatTest, RoundsToTheNearestAndTiesToEven) {
  const std::vector<double> finite = this->finite();
  for (std::size_t i = 0; i + 1 < finite.size(); ++i) {
    const auto number = static_cast<float>(finite[i]);
    const auto tie = static_cast<float>((finite[i] + finite[i + 1]) / 2);
    for (const float value : {number, tie}) {
      for (const float at :
           {value, std::nextafter(value, HUGE_VALF), std::nextafter(value, 0.0F)}) {
        this->expect_rounds(finite, at);
        this->expect_rounds(finite, -at);
      }
    }
  }
}

/// A prime step through all floats: exponents and mantissas of every kind.
TYPED_TEST(NarrowFloatTest, RoundsFloatsOfAllSizes) {
  const std::vector<double> finite = this->finite();
  for (std::uint64_t word = 0; word < 0x7f800000U; word += 10'007) {
    this->expect_rounds(finite, std::bit_cast<float>(static_cast<std::uint32_t>(word)));
  }
}

TYPED_TEST(NarrowFloatTest, SaturatesOrOverflowsAsItsFormatSays) {
  const float most = std::numeric_limits<float>::infinity();
  for (const float value : {most, -most, std::numeric_limits<float>::max()}) {
    const auto result = static_cast<float>(TypeParam(value));
    EXPECT_EQ(std::isinf(result), !this->kFormat.saturates) << result;
    EXPECT_EQ(std::signbit(result), std::signbit(value));
  }
  for (const std::uint32_t nan : {0x7fc00000U, 0x7f800001U, 0xffffffffU, 0xff800001U}) {
    EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(std::bit_cast<float>(nan))))) << nan;
  }
}

TEST(NarrowFloat, HasTheGreatestNumbersThatAreWritten) {
  EXPECT_EQ(static_cast<float>(Float16::of_bits(0x7bff)), 65504);
  EXPECT_EQ(static_cast<float>(Float8E4M3(1e30F)), 448);
  EXPECT_EQ(static_cast<float>(Float8E5M2(-1e30F)), -57344);
}

#ifdef __FLT16_MANT_DIG__
/// All floats would be 4 billion: the compiler's are asked at a prime step, and with every
/// exponent.
TEST(Float16, IsTheCompilers) {
  for (std::uint64_t word = 0; word <= 0xff800000U; word += 1009) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(word));
    if (std::isnan(value)) continue;
    ASSERT_EQ(Float16(value).bits, std::bit_cast<std::uint16_t>(static_cast<_Float16>(value)));
  }
}
#endif

}  // namespace
}  // namespace railgauge::reduce
