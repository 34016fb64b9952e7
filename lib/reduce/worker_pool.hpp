#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "reduce/kernel.hpp"

namespace railgauge::reduce {

/// Threads that share the combining of vectors with the caller, for ranks whose NICs deliver data
/// faster than one processor combines them. They inherit the CPU affinity of the thread that
/// constructs the pool.
///
/// One caller at a time. Between calls the workers spin for some microseconds, as the next chunk
/// usually comes soon, and then sleep. Nothing is allocated or locked after the constructor.
class WorkerPool {
 public:
  /// `threads` includes the caller, and is at least 1. Throws std::system_error if a thread cannot
  /// be started.
  explicit WorkerPool(unsigned threads);
  /// Stops and joins the workers.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// Runs `kernel` over `count` elements of `element_bytes`, each thread on a range as equal as
  /// whole cache lines allow; small vectors take fewer threads, or only the caller. Returns when
  /// all is done.
  void share(Kernel kernel, std::byte* out, const std::byte* a, const std::byte* b,
             std::size_t count, std::size_t element_bytes, std::uint32_t ranks) noexcept;

  /// No thread gets less than this: handing it over would cost about as much as combining it.
  static constexpr std::size_t kLeastBytes = std::size_t{16} * 1024;

 private:
  /// The work of `parts` threads.
  struct Task {
    Kernel kernel = nullptr;
    std::byte* out = nullptr;
    const std::byte* a = nullptr;
    const std::byte* b = nullptr;
    std::size_t count = 0;
    std::size_t element_bytes = 1;
    std::uint32_t ranks = 1;
    std::size_t parts = 1;

    void run(std::size_t part) const noexcept;
  };

  void stop();
  void work(std::size_t part) noexcept;
  void await_task(std::uint32_t last) const noexcept;

  // On a cache line of its own, and on another what workers write.
  alignas(64) std::atomic<std::uint32_t> tasks_{0};  // handed out; publishes what follows
  bool leave_ = false;
  Task task_;
  std::vector<std::thread> workers_;
  alignas(64) std::atomic<std::uint32_t> at_work_{0};
};

}  // namespace railgauge::reduce
