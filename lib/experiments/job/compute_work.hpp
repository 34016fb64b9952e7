#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace railgauge::runner {

/// What computes do to a rank's host while they last.
enum class Compute : std::uint8_t {
  sleep,  ///< nothing: the time passes, as on a GPU
  spin,   ///< a thread keeps a processor busy
  touch,  ///< and reads and writes memory
};

/// The thread of a rank that computes, on its processors, while its main thread communicates: all
/// computes that overlap are one. Nothing is allocated or locked after the constructor.
class ComputeWork {
 public:
  /// `bytes`: of memory that is touched, again and again. Throws std::bad_alloc, std::system_error.
  ComputeWork(Compute kind, std::size_t bytes);
  ~ComputeWork();
  ComputeWork(const ComputeWork&) = delete;
  ComputeWork& operator=(const ComputeWork&) = delete;

  /// Of a compute. Each begin has its end.
  void begin() noexcept;
  void end() noexcept;
  /// How much it has done, in pieces of some microseconds.
  [[nodiscard]] std::uint64_t pieces() const { return pieces_.load(std::memory_order_relaxed); }

 private:
  void run(std::size_t bytes) noexcept;

  std::atomic<std::uint32_t> active_{0};  // computes
  std::atomic<bool> leave_{false};
  std::atomic<std::uint64_t> pieces_{0};
  std::thread thread_{};  // of sleep none
};

}  // namespace railgauge::runner
