#include "experiments/collective/buffer.hpp"

#include <gtest/gtest.h>

#include "transport/in_process.hpp"

namespace railgauge::runner {
namespace {

/// One rank by itself.
class BufferTest : public ::testing::Test {
 protected:
  transport::InProcessFabric fabric_{1};
  std::unique_ptr<transport::Exchange> exchange_ = fabric_.exchange(0);
  std::unique_ptr<transport::Transport> wire_ = fabric_.join(*exchange_, {});
  Buffer::Allocate allocate_ = [this](std::size_t bytes) { return wire_->allocate(bytes); };
};

TEST_F(BufferTest, BeginsOnAPageOrAsFarOffAsAsked) {
  for (const std::size_t off : {0U, 4U, 40U}) {
    const Buffer buffer(allocate_, 1000, off);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.region().data) % 4096, off);
    EXPECT_EQ(buffer.region().offset % 4096, off);
    EXPECT_GE(buffer.region().bytes, 1000U);
  }
}

TEST_F(BufferTest, SeesEveryByteThatIsWrittenBesideIt) {
  Buffer buffer(allocate_, 1000, 4);
  for (const std::ptrdiff_t used : {0, 1, 999, 1000}) {
    buffer.guard(static_cast<std::size_t>(used));
    EXPECT_EQ(buffer.broken(), "");
    for (auto& byte : buffer.bytes(static_cast<std::size_t>(used))) byte = std::byte{1};
    EXPECT_EQ(buffer.broken(), "");
    for (const std::ptrdiff_t at : {-256L, -1L, used, used + 255}) {
      std::byte& beside = buffer.region().data[at];
      beside ^= std::byte{1};
      EXPECT_NE(buffer.broken().find(at < 0 ? "before" : "behind"), std::string::npos) << at;
      beside ^= std::byte{1};
    }
  }
}

}  // namespace
}  // namespace railgauge::runner
