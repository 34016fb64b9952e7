#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "executor/offload.hpp"
#include "gpu/device.hpp"
#include "reduce/reduction.hpp"

namespace railgauge::gpu {

/// How long a GPU worked, by its own clock: waiting of one for the other is not in it.
struct BusyTime {
  std::chrono::nanoseconds copying{0};
  std::chrono::nanoseconds combining{0};
};

/// A GPU as the offload of an executor: kernels combine, which read landing slots where they are,
/// in registered memory of the host. One stream, so in order.
class Stream final : public executor::Offload {
 public:
  /// `device` outlives it. For one type and operator; Throws Failure.
  Stream(const Device& device, reduce::ElementType type, reduce::Operator op, std::uint32_t ranks);
  /// Copies, and combines nothing: for data that are only moved.
  explicit Stream(const Device& device);
  ~Stream() override;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void reach(std::span<std::byte> memory) override;
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) noexcept override;
  void combine(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count,
               bool completes) noexcept override;
  [[nodiscard]] std::uint64_t started() const noexcept override { return started_; }
  [[nodiscard]] std::uint64_t done() noexcept override;
  void see_arrivals() noexcept override;
  [[nodiscard]] bool failed() const noexcept override { return status_ != kSuccess; }
  [[nodiscard]] std::string fault() const override;

  /// Waits until all that was started is done, as Device::wait().
  void finish() noexcept;
  /// Since the last call, of what is done.
  [[nodiscard]] BusyTime take_busy_time();

 private:
  // Work between its events, which come round again. What begins behind other work begins with the
  // end of that: recording an event takes as long as starting a kernel.
  static constexpr std::size_t kRounds = 256;
  static constexpr std::size_t kMostUnderWay = kRounds - 1;
  struct Round {
    Handle begin = nullptr;
    Handle end = nullptr;
    bool behind = false;  // other work, whose end is its begin
    bool combines = false;
  };

  struct Reached {  // of the host
    std::byte* memory;
    std::size_t bytes;
    Address on_gpu = 0;
  };

  void destroy() noexcept;
  [[nodiscard]] Address on_gpu(const std::byte* memory) const noexcept;
  void keep(Status status, const char* call) noexcept;
  [[nodiscard]] Round* begin(bool combines) noexcept;
  void end(const Round& round) noexcept;
  [[nodiscard]] bool end_one() noexcept;
  void count(const Round& round) noexcept;

  const Driver& driver_;
  const Device& device_;
  Handle stream_ = nullptr;
  Handle kernel_ = nullptr;
  reduce::Operator op_ = reduce::Operator::sum;
  std::uint32_t ranks_ = 1;
  std::size_t per_thread_ = 1;  // elements
  std::vector<Round> rounds_;
  std::vector<Reached> reached_;
  std::uint64_t started_ = 0;
  std::uint64_t done_ = 0;
  BusyTime busy_;
  Status status_ = kSuccess;
  const char* failed_call_ = "";
};

}  // namespace railgauge::gpu
