#include "verbs/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <type_traits>

namespace railgauge::verbs {
namespace {

TEST(MemlockAdvice, NamesTheLimitAndEveryWayToRaiseIt) {
  const std::string advice = memlock_advice(65536);
  EXPECT_NE(advice.find("`ulimit -l` allows 64 KiB"), std::string::npos) << advice;
  for (const char* way : {"limits.conf", "LimitMEMLOCK=infinity", "--ulimit memlock=-1"}) {
    EXPECT_NE(advice.find(way), std::string::npos) << way;
  }
}

TEST(MemlockAdvice, DoesNotBlameALimitThatIsNotThere) {
  EXPECT_EQ(memlock_advice(RLIM_INFINITY).find("raise"), std::string::npos);
}

TEST(RemoteMemory, CanBeExchangedAsBytes) {
  static_assert(std::is_trivially_copyable_v<RemoteMemory>);
  std::byte memory[3];
  ibv_mr region{};
  region.addr = memory;
  region.length = 3;
  region.rkey = 9;
  const RemoteMemory remote = remote_memory(region);
  EXPECT_EQ(remote.address, reinterpret_cast<std::uintptr_t>(memory));
  EXPECT_EQ(remote.bytes, 3U);
  EXPECT_EQ(remote.key, 9U);
}

}  // namespace
}  // namespace railgauge::verbs
