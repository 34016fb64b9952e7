#include <dlfcn.h>
#include <infiniband/verbs.h>

#include "device_fixture.hpp"

namespace {

/// What this thread's ibv_modify_qp() below has seen; other tests have threads of their own.
thread_local ibv_ah_attr last;  // NOLINT

}  // namespace

/// In place of the library's, to see what a device is told.
extern "C" int ibv_modify_qp(ibv_qp* pair, ibv_qp_attr* attributes, int mask) {
  if ((mask & IBV_QP_AV) != 0) last = attributes->ah_attr;
  static const auto next =
      reinterpret_cast<decltype(&ibv_modify_qp)>(::dlsym(RTLD_NEXT, "ibv_modify_qp"));
  return next(pair, attributes, mask);
}

namespace railgauge::verbs {
namespace {

using AddressVectorDeviceTest = JoinedTest;

TEST_F(AddressVectorDeviceTest, HasThePriorityAndTheTrafficClassThatWereAskedFor) {
  EXPECT_EQ(last.sl, 0);
  port_.service_level = 3;
  join({.traffic_class = 104});
  EXPECT_EQ(last.sl, 3);
  EXPECT_EQ(last.grh.traffic_class, 104);
}

}  // namespace
}  // namespace railgauge::verbs
