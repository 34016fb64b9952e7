#include "verbs/connection.hpp"

#include <gtest/gtest.h>

#include <system_error>

namespace railgauge::verbs {
namespace {

TEST(Cookie, IsPaddedWithZeros) {
  const Cookie cookie = make_cookie("rank 3 > 4");
  EXPECT_EQ(std::string(cookie.data()), "rank 3 > 4");
  EXPECT_EQ(cookie.back(), '\0');
}

TEST(Cookie, ThirtyTwoBytesFitAndNoMore) {
  EXPECT_NO_THROW(make_cookie(std::string(32, 'x')));
  EXPECT_THROW(make_cookie(std::string(33, 'x')), std::system_error);
}

TEST(Cookie, FitsIntoTheRequest) {
  static_assert(sizeof(Cookie) <= 56);  // private data of rdma_connect() over RDMA_PS_TCP
}

}  // namespace
}  // namespace railgauge::verbs
