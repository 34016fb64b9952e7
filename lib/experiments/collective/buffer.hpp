#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "experiments/collective/data.hpp"
#include "transport/transport.hpp"

namespace railgauge::runner {

/// Memory of a collective between two guards: bytes before and behind it that nobody may touch.
class Buffer {
 public:
  /// Takes so many bytes, which have to begin with a page.
  using Allocate = std::function<transport::Region(std::size_t bytes)>;
  /// Collective, if allocating is. For up to `most` bytes, which begin `off` bytes behind the start
  /// of a page. `data`, of the kind that is allocated, outlives it.
  Buffer(const Allocate& allocate, std::size_t most, std::size_t off, Data& data = host_data());

  [[nodiscard]] const transport::Region& region() const { return region_; }
  /// Its first bytes.
  [[nodiscard]] std::span<std::byte> bytes(std::size_t count) const {
    return {region_.data, count};
  }

  /// Puts the guards before and behind the first `used` bytes.
  void guard(std::size_t used);
  /// What was written over a guard since, in words; empty if nothing was.
  [[nodiscard]] std::string broken() const;

 private:
  [[nodiscard]] std::byte* before() const;
  [[nodiscard]] std::byte* behind() const;

  Data& data_;
  transport::Region region_;
  std::size_t used_ = 0;
};

}  // namespace railgauge::runner
