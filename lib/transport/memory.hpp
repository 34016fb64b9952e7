#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace railgauge::transport {

/// Page-aligned memory, so that registering it pins no stranger's bytes. Zeroed by the thread that
/// makes it, and so placed on that thread's NUMA node.
class Memory {
 public:
  explicit Memory(std::size_t bytes) : bytes_(bytes) {
    void* block = nullptr;
    if (posix_memalign(&block, kPageBytes, bytes == 0 ? 1 : bytes) != 0) {
      throw std::runtime_error("no memory for a buffer of " + std::to_string(bytes) +
                               " bytes; smaller sizes need less");
    }
    block_.reset(static_cast<std::byte*>(block));
    std::memset(block, 0, bytes);
  }
  [[nodiscard]] std::span<std::byte> bytes() const { return {block_.get(), bytes_}; }

 private:
  static constexpr std::size_t kPageBytes = 4096;
  struct Free {
    void operator()(std::byte* block) const noexcept { std::free(block); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> block_;
};

}  // namespace railgauge::transport
