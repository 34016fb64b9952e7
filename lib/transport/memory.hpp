#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace railgauge::transport {

/// Page-aligned memory, so that registering it pins no stranger's bytes. Zeroed by the thread that
/// makes it, and so placed on that thread's NUMA node. From 1 MiB up of huge pages, where the
/// kernel has some: NICs and processors look up fewer addresses, and speed does not depend on which
/// pages a process happened to get.
class Memory {
 public:
  explicit Memory(std::size_t bytes) : bytes_(bytes) {
    void* block = nullptr;
    const bool huge = bytes >= kHugePageBytes / 2;
    const std::size_t page = huge ? kHugePageBytes : kPageBytes;
    const std::size_t pages = std::max<std::size_t>(bytes / page + (bytes % page > 0 ? 1 : 0), 1);
    const bool possible = pages <= std::numeric_limits<std::size_t>::max() / page;
    const std::size_t whole = pages * page;
    if (!possible || posix_memalign(&block, page, whole) != 0) {
      throw std::runtime_error("no memory for a buffer of " + std::to_string(bytes) +
                               " bytes; smaller sizes need less");
    }
    block_.reset(static_cast<std::byte*>(block));
    if (huge) (void)madvise(block, whole, MADV_HUGEPAGE);
    std::memset(block, 0, bytes);
  }
  [[nodiscard]] std::span<std::byte> bytes() const { return {block_.get(), bytes_}; }

 private:
  static constexpr std::size_t kPageBytes = 4096;
  static constexpr std::size_t kHugePageBytes = std::size_t{2} * 1024 * 1024;
  struct Free {
    void operator()(std::byte* block) const noexcept { std::free(block); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> block_;
};

}  // namespace railgauge::transport
