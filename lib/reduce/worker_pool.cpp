#include "reduce/worker_pool.hpp"

#include <algorithm>
#include <chrono>

namespace railgauge::reduce {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kCacheLine = 64;
// Longer than from one chunk to the next at a fabric's speed, shorter than any time slice.
constexpr std::chrono::microseconds kSpin{50};
constexpr unsigned kPollsPerClockRead = 64;

void relax() noexcept {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

/// Where the i-th of `parts` runs of `count` elements begins: at a whole cache line, the last at
/// the end.
std::size_t begin_of(std::size_t i, std::size_t parts, std::size_t count,
                     std::size_t element_bytes) noexcept {
  if (i == parts) return count;
  const std::size_t line = std::max<std::size_t>(kCacheLine / element_bytes, 1);
  return i * (count / line) / parts * line;
}

}  // namespace

WorkerPool::WorkerPool(unsigned threads) {
  workers_.reserve(threads);
  try {
    for (std::size_t part = 1; part < threads; ++part)
      workers_.emplace_back([this, part] { work(part); });
  } catch (...) {
    stop();
    throw;
  }
}

WorkerPool::~WorkerPool() {
  stop();
}

void WorkerPool::stop() {
  leave_ = true;
  tasks_.fetch_add(1, std::memory_order_release);
  tasks_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::share(Kernel kernel, std::byte* out, const std::byte* a, const std::byte* b,
                       std::size_t count, std::size_t element_bytes, std::uint32_t ranks) noexcept {
  const std::size_t most = std::max<std::size_t>(count * element_bytes / kLeastBytes, 1);
  const std::size_t parts = std::min<std::size_t>(threads(), most);
  if (parts == 1) return kernel(out, a, b, count, ranks);
  task_ = {kernel, out, a, b, count, element_bytes, ranks, parts};
  at_work_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
  tasks_.fetch_add(1, std::memory_order_release);
  tasks_.notify_all();
  task_.run(0);
  while (at_work_.load(std::memory_order_acquire) > 0) relax();
}

void WorkerPool::Task::run(std::size_t part) const noexcept {
  const std::size_t begin = begin_of(part, parts, count, element_bytes);
  const std::size_t end = begin_of(part + 1, parts, count, element_bytes);
  const std::size_t at = begin * element_bytes;
  kernel(out + at, a + at, b + at, end - begin, ranks);
}

/// Every worker looks at every task, so that the caller knows when none does any more.
void WorkerPool::work(std::size_t part) noexcept {
  for (std::uint32_t seen = 0;; ++seen) {
    await_task(seen);
    if (leave_) return;
    if (part < task_.parts) task_.run(part);
    at_work_.fetch_sub(1, std::memory_order_release);
  }
}

void WorkerPool::await_task(std::uint32_t last) const noexcept {
  const Clock::time_point begin = Clock::now();
  for (unsigned looks = 1; tasks_.load(std::memory_order_acquire) == last; ++looks) {
    relax();
    if (looks % kPollsPerClockRead != 0 || Clock::now() - begin < kSpin) continue;
    tasks_.wait(last, std::memory_order_acquire);
  }
}

}  // namespace railgauge::reduce
