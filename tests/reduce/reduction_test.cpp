#include "reduce/reduction.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace railgauge::reduce {
namespace {

template <class T>
std::vector<T> combined(ElementType type, Operator op, const std::vector<T>& a,
                        const std::vector<T>& b) {
  std::vector<T> out(a.size());
  kernel(type, op)(reinterpret_cast<std::byte*>(out.data()),
                   reinterpret_cast<const std::byte*>(a.data()),
                   reinterpret_cast<const std::byte*>(b.data()), a.size());
  return out;
}

TEST(Reduction, CombinesEveryTypeWithEveryOperator) {
  for (const ElementType type : kElementTypes) {
    visit(type, [type]<class T>(T) {
      const std::vector<T> a{1, 2, 3, 4, 5};
      const std::vector<T> b{5, 4, 3, 2, 1};
      EXPECT_EQ(combined(type, Operator::sum, a, b), (std::vector<T>{6, 6, 6, 6, 6}));
      EXPECT_EQ(combined(type, Operator::prod, a, b), (std::vector<T>{5, 8, 9, 8, 5}));
      EXPECT_EQ(combined(type, Operator::min, a, b), (std::vector<T>{1, 2, 3, 2, 1}));
      EXPECT_EQ(combined(type, Operator::max, a, b), (std::vector<T>{5, 4, 3, 4, 5}));
    });
  }
}

TEST(Reduction, WrapsIntegers) {
  const std::vector<std::int32_t> most{std::numeric_limits<std::int32_t>::max()};
  EXPECT_EQ(combined(ElementType::int32, Operator::sum, most, {1})[0],
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(combined(ElementType::int8, Operator::prod, std::vector<std::int8_t>{64}, {4})[0], 0);
}

TEST(Reduction, WorksInPlaceAndOnNothing) {
  std::vector<float> a{1, 2, 3};
  const std::vector<float> b{10, 20, 30};
  auto* out = reinterpret_cast<std::byte*>(a.data());
  const Kernel sum = kernel(ElementType::float32, Operator::sum);
  sum(out, out, reinterpret_cast<const std::byte*>(b.data()), a.size());
  EXPECT_EQ(a, (std::vector<float>{11, 22, 33}));
  sum(nullptr, nullptr, nullptr, 0);
}

TEST(Reduction, OperatorsAreFoundByName) {
  for (const Operator op : kOperators) EXPECT_EQ(reduction_operator(name(op)), op);
  EXPECT_EQ(reduction_operator("mulsum"), std::nullopt);
}

}  // namespace
}  // namespace railgauge::reduce
