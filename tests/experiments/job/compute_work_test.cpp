#include "experiments/job/compute_work.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

/// Waits until it has done more than that.
void await_more(const ComputeWork& work, std::uint64_t than) {
  while (work.pieces() <= than) std::this_thread::yield();
}

TEST(ComputeWork, WorksWhileAComputeLasts) {
  for (const Compute kind : {Compute::spin, Compute::touch}) {
    for (const std::size_t bytes : {1, 1000, 1 << 20}) {
      ComputeWork work(kind, bytes);
      EXPECT_EQ(work.pieces(), 0U);
      work.begin();
      await_more(work, 100);
      work.begin();
      work.end();
      await_more(work, work.pieces() + 100);
      work.end();
    }
  }
}

TEST(ComputeWork, OfSleepIsNone) {
  ComputeWork work(Compute::sleep, 1 << 20);
  work.begin();
  work.end();
  EXPECT_EQ(work.pieces(), 0U);
}

TEST(ComputeWork, EndsInTheMiddleOfACompute) {
  ComputeWork work(Compute::touch, 1 << 20);
  work.begin();
  await_more(work, 0);
}

}  // namespace
}  // namespace railgauge::runner
