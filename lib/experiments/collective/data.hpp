#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "executor/offload.hpp"
#include "executor/progress_threads.hpp"
#include "measure/pattern.hpp"
#include "transport/transport.hpp"

namespace railgauge::runner {

/// Where a collective's data are, and who writes and checks them there: this host's memory and
/// processor, or a GPU's. Used between runs.
class Data {
 public:
  Data() = default;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
  virtual ~Data() = default;

  /// One for each progress thread, which outlives these; none where processors copy and combine.
  using Offloads = std::vector<std::unique_ptr<executor::Offload>>;
  [[nodiscard]] virtual Offloads make_offloads(unsigned threads) = 0;
  /// Collective: zeroed memory that begins with a page and that all progress threads work on. It
  /// stays as long as this, which has to outlive the transports that have registered it.
  virtual transport::Region allocate(executor::ProgressThreads& threads, std::size_t bytes) = 0;

  virtual void write(std::byte* to, std::span<const std::byte> from) = 0;
  virtual void read(std::span<std::byte> to, const std::byte* from) = 0;
  virtual void set(std::span<std::byte> memory, unsigned char value) = 0;

  /// As those of measure.
  virtual void fill_input(const measure::Pattern& pattern, std::uint32_t rank,
                          std::span<std::byte> buffer) = 0;
  [[nodiscard]] virtual measure::Verdict verify_reduction(const measure::Pattern& pattern,
                                                          std::size_t first,
                                                          std::span<const std::byte> buffer) = 0;
  [[nodiscard]] virtual measure::Verdict verify_copy(const measure::Pattern& pattern,
                                                     std::uint32_t rank, std::size_t first,
                                                     std::span<const std::byte> buffer) = 0;

  /// How long a device worked since the last call; 0 for processors.
  struct DeviceTime {
    std::chrono::nanoseconds combining{0};
    std::chrono::nanoseconds copying{0};
  };
  [[nodiscard]] virtual DeviceTime take_device_time() { return {}; }
  /// Whether it is memory of this host, whose place can be looked up.
  [[nodiscard]] virtual bool on_host() const { return true; }
};

/// Stateless: one for all, and one for who wants its own.
[[nodiscard]] Data& host_data();
[[nodiscard]] std::unique_ptr<Data> data_on_host();

}  // namespace railgauge::runner
