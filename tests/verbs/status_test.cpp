#include "verbs/status.hpp"

#include <gtest/gtest.h>

#include <set>

namespace railgauge::verbs {
namespace {

TEST(Status, EveryCompletionStatusHasItsOwnNameAndMeaning) {
  std::set<std::string_view> names;
  std::set<std::string_view> meanings;
  for (int code = IBV_WC_SUCCESS; code <= IBV_WC_TM_RNDV_INCOMPLETE; ++code) {
    names.insert(name(static_cast<ibv_wc_status>(code)));
    meanings.insert(meaning(static_cast<ibv_wc_status>(code)));
  }
  EXPECT_EQ(names.size(), IBV_WC_TM_RNDV_INCOMPLETE + 1U);
  EXPECT_EQ(meanings.size(), IBV_WC_TM_RNDV_INCOMPLETE + 1U);
  EXPECT_FALSE(names.contains("UNKNOWN"));
}

TEST(Status, UnansweredWritesPointAtThePath) {
  EXPECT_EQ(name(IBV_WC_RETRY_EXC_ERR), "RETRY_EXC_ERR");
  EXPECT_TRUE(meaning(IBV_WC_RETRY_EXC_ERR).starts_with("transport retries exhausted: the peer"));
}

TEST(Status, UnknownCodesHaveWordsToo) {
  EXPECT_FALSE(meaning(static_cast<ibv_wc_status>(31)).empty());
  EXPECT_EQ(name(static_cast<ibv_wc_status>(31)), "UNKNOWN");
  EXPECT_EQ(words(IBV_QPS_UNKNOWN), "unknown");
  EXPECT_FALSE(words(static_cast<ibv_event_type>(31)).empty());
}

TEST(Status, QueuePairStates) {
  EXPECT_EQ(words(IBV_QPS_RTS), "ready to send");
  EXPECT_EQ(words(IBV_QPS_ERR), "error");
}

TEST(Status, EveryAsynchronousEventHasItsOwnWords) {
  std::set<std::string_view> seen;
  for (int code = IBV_EVENT_CQ_ERR; code <= IBV_EVENT_WQ_FATAL; ++code) {
    seen.insert(words(static_cast<ibv_event_type>(code)));
  }
  EXPECT_EQ(seen.size(), IBV_EVENT_WQ_FATAL + 1U);
  EXPECT_EQ(words(IBV_EVENT_PORT_ERR), "port went down");
}

}  // namespace
}  // namespace railgauge::verbs
