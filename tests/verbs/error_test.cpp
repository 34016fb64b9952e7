#include "verbs/error.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <system_error>

namespace railgauge::verbs {
namespace {

/// The error that `call` throws; fails the test when it throws none.
template <class Call>
std::system_error error_of(Call call) {
  try {
    call();
  } catch (const std::system_error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return std::system_error(0, std::generic_category());
}

TEST(Error, NullTakesItsReasonFromErrno) {
  const auto error = error_of([] {
    errno = ENOMEM;
    created(static_cast<int*>(nullptr), "ibv_create_cq", "mlx5_0");
  });
  EXPECT_EQ(error.code().value(), ENOMEM);
  EXPECT_STREQ(error.what(), "ibv_create_cq on mlx5_0: Cannot allocate memory");
}

TEST(Error, CreatedPassesTheObjectOn) {
  int object = 7;
  EXPECT_EQ(created(&object, "ibv_create_cq"), &object);
}

TEST(Error, ReturnedReasonIsTheReasonWhateverErrnoSays) {
  const auto error = error_of([] {
    errno = EPERM;
    succeeded(EINVAL, "ibv_modify_qp to RTR");
  });
  EXPECT_EQ(error.code().value(), EINVAL);
  EXPECT_STREQ(error.what(), "ibv_modify_qp to RTR: Invalid argument");
}

TEST(Error, MinusOneTakesItsReasonFromErrno) {
  const auto error = error_of([] {
    errno = ENODEV;
    answered(-1, "rdma_resolve_addr");
  });
  EXPECT_EQ(error.code().value(), ENODEV);
}

TEST(Error, SuccessThrowsNothingEvenWithErrnoSet) {
  errno = EIO;
  EXPECT_NO_THROW(succeeded(0, "ibv_post_send"));
  EXPECT_NO_THROW(answered(0, "rdma_connect"));
  EXPECT_NO_THROW(answered(3, "fcntl"));
}

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
  EXPECT_TRUE(meaning(IBV_WC_RETRY_EXC_ERR).starts_with("transport retries exhausted: no answer"));
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
