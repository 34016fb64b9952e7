#include "softroce/engine/batches.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "softroce/device/memory_guard.hpp"

namespace railgauge::softroce {
namespace {

TEST(SendBatch, TakesNothingWhosePayloadIsNotThere) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer takes the signals itself";
#endif
  guard_memory();
  constexpr std::size_t kPage = 4096;
  void* const pages =
      mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* const bytes = static_cast<std::byte*>(pages);
  ASSERT_EQ(mprotect(bytes + kPage, kPage, PROT_NONE), 0);
  SendBatch batch(ipv4(0x7f400001));
  const Path path{.destination = ipv4(0x7f400002)};
  const Packet packet{.operation = Operation::send_only};
  for (const std::size_t length : {std::size_t{100}, std::size_t{2000}}) {
    const iovec half{bytes + kPage - length / 2, length};
    EXPECT_EQ(batch.add(-1, path, packet, {&half, 1}), 0U) << length;
    EXPECT_TRUE(batch.empty());
    const iovec whole{bytes, length};
    EXPECT_GT(batch.add(-1, path, packet, {&whole, 1}), length);
    EXPECT_EQ(batch.add(-1, path, packet, {&half, 1}), 0U) << length;
    EXPECT_EQ(batch.send(), 1U);  // there is no such socket: one packet was refused
  }
  munmap(pages, 2 * kPage);
}

}  // namespace
}  // namespace railgauge::softroce
