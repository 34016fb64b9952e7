#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "transport/transport.hpp"

namespace railgauge::executor {

/// Copies and combines where the executor's processor cannot, in memory of a device, while the
/// executor goes on. Work is done in the order in which it was started, and counted. Used by one
/// executor, on its thread; nothing here throws but reach().
class Offload {
 public:
  Offload() = default;
  Offload(const Offload&) = delete;
  Offload& operator=(const Offload&) = delete;
  virtual ~Offload() = default;

  /// From now on work may read and write this memory of the host: landing slots. It outlives this.
  virtual void reach(std::span<std::byte> memory) = 0;

  /// Starts to copy; both may be anywhere that can be reached.
  virtual void copy(std::byte* to, const std::byte* from, std::size_t bytes) noexcept = 0;
  /// Starts out[i] = a[i] op b[i], as reduce::Reduction::combine, or complete.
  virtual void combine(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count,
                       bool completes) noexcept = 0;

  /// How many copies and combinations were started, and how many of these are done, from the first.
  [[nodiscard]] virtual std::uint64_t started() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t done() noexcept = 0;

  /// What peers have written into the device's memory, and told, is seen by all that is started
  /// from now on.
  virtual void see_arrivals() noexcept = 0;

  /// Whether the device has failed, and then what it says.
  [[nodiscard]] virtual bool failed() const noexcept = 0;
  [[nodiscard]] virtual std::string fault() const = 0;
};

/// A part of an op that an offload works on.
struct Work {
  std::optional<transport::Channel> channel{};  // of what arrived; none: a copy of this rank's own
  std::uint32_t op = 0;
  std::size_t elements = 0;
};

/// Work that was handed over, in order, with the offload's number for it. Of bounded length: it
/// allocates in reserve() only.
class WorksUnderWay {
 public:
  struct Entry {
    Work work;
    std::uint64_t number = 0;
  };

  /// For so many chunks that arrived, and kMostCopies.
  void reserve(std::size_t arrivals) { entries_.resize(arrivals + kMostCopies + 1); }
  void clear() { first_ = end_ = copies_ = 0; }
  [[nodiscard]] bool empty() const { return first_ == end_; }
  /// Whether there is room for another copy of this rank's own.
  [[nodiscard]] bool take_copies() const { return copies_ < kMostCopies; }
  [[nodiscard]] const Entry& front() const { return entries_[first_]; }
  void push(const Entry& entry) {
    if (!entry.work.channel) ++copies_;
    entries_[end_] = entry;
    end_ = (end_ + 1) % entries_.size();
  }
  void pop() {
    if (!front().work.channel) --copies_;
    first_ = (first_ + 1) % entries_.size();
  }

 private:
  static constexpr std::size_t kMostCopies = 8;
  std::vector<Entry> entries_ = std::vector<Entry>(kMostCopies + 1);
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  std::size_t copies_ = 0;
};

}  // namespace railgauge::executor
