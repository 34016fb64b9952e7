#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "reduce/kernel.hpp"

namespace railgauge::reduce {

/// Threads that share the combining of vectors with the one that calls: where a rank's NICs bring
/// data faster than one processor combines them. They may run wherever their maker may.
///
/// One caller at a time. Between calls the helpers spin for some microseconds, as the next chunk
/// is mostly near, and then sleep. Nothing is allocated or locked after the constructor.
class WorkerPool {
 public:
  /// `threads` with the caller's, at least 1. Throws std::system_error if one cannot be made.
  explicit WorkerPool(unsigned threads);
  /// Ends and joins the helpers.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(helpers_.size()) + 1; }

  /// `kernel` over `count` elements of `element_bytes`, each thread a run of them, as equal as
  /// whole cache lines allow; small vectors by fewer threads, or the caller alone. Returns when all
  /// is done.
  void share(Kernel kernel, std::byte* out, const std::byte* a, const std::byte* b,
             std::size_t count, std::size_t element_bytes, std::uint32_t ranks) noexcept;

  /// No thread takes less than this: handing it over costs about what combining it does.
  static constexpr std::size_t kLeastBytes = std::size_t{16} * 1024;

 private:
  /// What is to be done by each of `parts` threads.
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

  void help(std::size_t part) noexcept;
  void await_task(std::uint32_t last) const noexcept;

  // On a cache line of its own, and on another what helpers write.
  alignas(64) std::atomic<std::uint32_t> tasks_{0};  // handed out; publishes what follows
  bool leave_ = false;
  Task task_;
  std::vector<std::thread> helpers_;
  alignas(64) std::atomic<std::uint32_t> at_work_{0};
};

}  // namespace railgauge::reduce
