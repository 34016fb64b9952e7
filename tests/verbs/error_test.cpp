#include "verbs/error.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace railgauge::verbs
