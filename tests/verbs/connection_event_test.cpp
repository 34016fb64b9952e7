#include "verbs/connection_event.hpp"

#include <gtest/gtest.h>

#include <set>

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
            "RDMA_CM_EVENT_REJECTED: the peer refused (nobody listens on that port)");
  EXPECT_EQ(describe(RDMA_CM_EVENT_REJECTED, 33),
            "RDMA_CM_EVENT_REJECTED: the peer refused (reason code 33)");
}

TEST(ConnectionEvent, NoStatusNoBrackets) {
  EXPECT_EQ(describe(RDMA_CM_EVENT_ESTABLISHED, 0), "RDMA_CM_EVENT_ESTABLISHED: connected");
}

}  // namespace
}  // namespace railgauge::verbs
