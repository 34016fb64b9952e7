#include "reduce/worker_pool.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <system_error>

#include "reduce/few_threads.hpp"
#include "reduce/reduction.hpp"

namespace railgauge::reduce {
namespace {

using Vector = std::vector<std::byte>;

Vector random_bytes(std::size_t size, std::uint32_t seed) {
  std::mt19937 generator(seed);
  Vector bytes(size);
  for (std::byte& byte : bytes) byte = std::byte(generator() & 0x3fU);
  return bytes;
}

/// Around the smallest shares, and where they do not divide.
std::vector<std::size_t> counts_of(std::size_t threads, std::size_t element_bytes) {
  const std::size_t least = WorkerPool::kLeastBytes / element_bytes;
  const std::size_t all = threads * least;
  return {0, 1, least - 1, least, least + 1, 2 * least + 3, all - 1, all, all + 1, 3 * all + 7};
}

TEST(WorkerPool, CombinesAsOneThreadDoes) {
  for (const unsigned threads : {1U, 2U, 3U, 5U, 8U}) {
    WorkerPool worker_pool(threads);
    EXPECT_EQ(worker_pool.threads(), threads);
    for (const ElementType type : {ElementType::uint8, ElementType::float16, ElementType::int64}) {
      const Reduction alone = reduction(type, Operator::sum, 3);
      const Reduction shared = alone.shared_by(worker_pool);
      for (const std::size_t count : counts_of(threads, size_bytes(type))) {
        const Vector a = random_bytes(count * size_bytes(type), 1);
        const Vector b = random_bytes(count * size_bytes(type), 2);
        Vector expected(a.size());
        Vector found(a.size());
        alone.combine(expected.data(), a.data(), b.data(), count);
        shared.combine(found.data(), a.data(), b.data(), count);
        EXPECT_EQ(found, expected) << threads << " threads, " << count << " elements";
      }
    }
  }
}

TEST(WorkerPool, CompletesInPlace) {
  WorkerPool worker_pool(4);
  const Reduction alone = reduction(ElementType::float32, Operator::avg, 3);
  Vector expected = random_bytes(1U << 20U, 3);
  Vector found = expected;
  const Vector b = random_bytes(1U << 20U, 4);
  alone.complete(expected.data(), expected.data(), b.data(), 1U << 18U);
  alone.shared_by(worker_pool).complete(found.data(), found.data(), b.data(), 1U << 18U);
  EXPECT_EQ(found, expected);
}

/// Helpers spin, sleep and are woken, task after task.
TEST(WorkerPool, GoesOnAfterAnyPause) {
  WorkerPool worker_pool(3);
  const Reduction shared = reduction(ElementType::uint32, Operator::sum, 2).shared_by(worker_pool);
  const std::size_t count = 64U << 10U;
  std::vector<std::uint32_t> sum(count, 0);
  const std::vector<std::uint32_t> one(count, 1);
  auto* bytes = reinterpret_cast<std::byte*>(sum.data());
  const auto* ones = reinterpret_cast<const std::byte*>(one.data());
  constexpr int kTasks = 300;
  for (int task = 0; task < kTasks; ++task) {
    if (task % 60 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    shared.combine(bytes, bytes, ones, count);
  }
  EXPECT_EQ(sum, std::vector<std::uint32_t>(count, kTasks));
}

TEST(WorkerPool, LeavesWithoutHavingHadATask) {
  for (int i = 0; i < 20; ++i) EXPECT_EQ(WorkerPool(4).threads(), 4U);
}

TEST(WorkerPool, ThrowsIfAThreadCannotBeStarted) {
  {
    const FewThreads two(2);
    EXPECT_EQ(WorkerPool(3).threads(), 3U);
  }
  for (const int few : {0, 1, 3}) {
    const FewThreads threads(few);
    EXPECT_THROW(WorkerPool(5), std::system_error) << few;
  }
}

}  // namespace
}  // namespace railgauge::reduce
