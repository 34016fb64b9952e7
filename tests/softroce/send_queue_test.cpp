#include "softroce/device/send_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace railgauge::softroce {
namespace {

SendQueue queue_of(std::size_t requests) {
  SendQueue queue;
  queue.allocate(requests, 2, 8);
  return queue;
}

TEST(SendQueue, WhatIsBuiltCountsOnceItIsCommitted) {
  SendQueue queue = queue_of(4);
  queue.build().id = 1;
  EXPECT_TRUE(queue.empty());
  queue.abort();
  queue.build().id = 2;
  queue.commit();
  EXPECT_FALSE(queue.empty());
  EXPECT_EQ(queue.oldest().id, 2U);
}

TEST(SendQueue, FullWithWhatIsOnlyBuilt) {
  SendQueue queue = queue_of(2);
  queue.build();
  queue.build();
  EXPECT_TRUE(queue.full());
  queue.commit();
  queue.pop();
  EXPECT_FALSE(queue.full());
}

TEST(SendQueue, ABuiltRequestHasNothingOfTheOneBefore) {
  SendQueue queue = queue_of(1);
  SendRequest& request = queue.build();
  request.started = true;
  request.length = 5;
  queue.commit();
  queue.pop();
  EXPECT_FALSE(queue.build().started);
  EXPECT_EQ(queue.last_built().length, 0U);
}

TEST(SendQueue, GoesBackAndForth) {
  SendQueue queue = queue_of(3);
  for (std::uint64_t id = 0; id < 3; ++id) queue.build().id = id;
  queue.commit();
  queue.advance();
  queue.advance();
  EXPECT_EQ(queue.current().id, 2U);
  EXPECT_FALSE(queue.current_is_oldest());
  queue.pop();
  EXPECT_EQ(queue.current().id, 2U);
  queue.back_to_oldest();
  EXPECT_EQ(queue.current().id, 1U);
  queue.pop();  // what was to be sent is answered: the next one is
  EXPECT_EQ(queue.current().id, 2U);
  queue.advance();
  EXPECT_TRUE(queue.all_sent());
}

TEST(SendQueue, ElementsAndInlineBytesHaveTheirBounds) {
  SendQueue queue = queue_of(2);
  queue.build();
  std::array<ibv_sge, 3> three{};
  three[0].length = 3;
  three[1].length = 4;
  EXPECT_FALSE(queue.set_elements(three));
  EXPECT_TRUE(queue.set_elements(std::span(three).first(2)));
  EXPECT_EQ(queue.last_built().length, 7U);

  SendRequest& request = queue.build();
  EXPECT_TRUE(queue.append_inline("abcde", 5));
  EXPECT_TRUE(queue.append_inline("fgh", 3));
  EXPECT_FALSE(queue.append_inline("i", 1));
  EXPECT_EQ(request.length, 8U);
  ASSERT_EQ(queue.elements(request).size(), 1U);
  const auto address = static_cast<std::uintptr_t>(queue.elements(request)[0].addr);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): verbs carry addresses as integers
  EXPECT_EQ(std::memcmp(reinterpret_cast<const void*>(address), "abcdefgh", 8), 0);
}

}  // namespace
}  // namespace railgauge::softroce
