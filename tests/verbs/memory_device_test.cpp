#include "verbs/memory.hpp"

#include <grp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "device_fixture.hpp"

namespace railgauge::verbs {
namespace {

using MemoryDeviceTest = DeviceTest;

/// In a child process: registers 8 MiB with 64 KiB of lockable memory, and says how that ended.
/// Root may lock without limit, so the child stops being root once the device is open.
[[noreturn]] void register_with_little_memlock(const std::string& device) {
  try {
    const Context context = open_device(device);
    const ProtectionDomain domain = allocate_domain(*context);
    constexpr rlim_t kLittle = 65536;
    const rlimit little{.rlim_cur = kLittle, .rlim_max = kLittle};
    constexpr uid_t kNobody = 65534;
    const bool dropped = geteuid() != 0 || setresuid(kNobody, kNobody, kNobody) == 0;
    if (!dropped || setrlimit(RLIMIT_MEMLOCK, &little) != 0) std::perror("setting the limit");
    std::vector<std::byte> memory(8'388'608);
    const MemoryRegion region = register_memory(*domain, memory);
    std::fprintf(stderr, "registered\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::_Exit(0);
}

TEST_F(MemoryDeviceTest, TooLittleMemlockIsExplained) {
  EXPECT_EXIT(register_with_little_memlock(port_.device), ::testing::ExitedWithCode(0),
              "ibv_reg_mr of 8388608 bytes on .*`ulimit -l` allows 64 KiB; raise it.*"
              "Cannot allocate memory");
}

TEST_F(MemoryDeviceTest, OtherErrorsDoNotBlameMemlock) {
  try {
    // No memory is mapped at address 4096.
    register_memory(*domain_, {reinterpret_cast<std::byte*>(4096), 4096});
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), EFAULT);
    EXPECT_EQ(std::string(error.what()).find("ulimit"), std::string::npos) << error.what();
  }
}

TEST_F(MemoryDeviceTest, RegionCoversTheMemory) {
  std::vector<std::byte> memory(12345);
  const MemoryRegion region = register_memory(*domain_, memory);
  const RemoteMemory remote = remote_memory(*region);
  EXPECT_EQ(remote.address, reinterpret_cast<std::uintptr_t>(memory.data()));
  EXPECT_EQ(remote.bytes, memory.size());
}

}  // namespace
}  // namespace railgauge::verbs
