#include "verbs/connection.hpp"

#include <gtest/gtest.h>

#include <set>
#include <system_error>

namespace railgauge::verbs {
namespace {

TEST(ConnectionEvent, EveryEventHasItsOwnMeaning) {
  std::set<std::string_view> seen;
  for (int code = RDMA_CM_EVENT_ADDR_RESOLVED; code <= RDMA_CM_EVENT_TIMEWAIT_EXIT; ++code) {
    seen.insert(meaning(static_cast<rdma_cm_event_type>(code)));
  }
  EXPECT_EQ(seen.size(), RDMA_CM_EVENT_TIMEWAIT_EXIT + 1U);
}

TEST(ConnectionEvent, NegativeStatusIsAnErrnoValue) {
  EXPECT_EQ(describe(RDMA_CM_EVENT_UNREACHABLE, -ETIMEDOUT),
            "RDMA_CM_EVENT_UNREACHABLE: the peer did not answer (Connection timed out)");
}

TEST(ConnectionEvent, RejectionHasAReason) {
  EXPECT_EQ(describe(RDMA_CM_EVENT_REJECTED, 8),
            "RDMA_CM_EVENT_REJECTED: the peer refused (nothing is listening on that port)");
  EXPECT_EQ(describe(RDMA_CM_EVENT_REJECTED, 33),
            "RDMA_CM_EVENT_REJECTED: the peer refused (reason code 33)");
}

TEST(ConnectionEvent, NoStatusNoBrackets) {
  EXPECT_EQ(describe(RDMA_CM_EVENT_ESTABLISHED, 0), "RDMA_CM_EVENT_ESTABLISHED: connected");
}

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
