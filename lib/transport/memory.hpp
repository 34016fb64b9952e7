#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace railgauge::transport {

/// Page-aligned memory, so that registering it pins no unrelated bytes. Zeroed by the thread that
/// makes it, and so placed on that thread's NUMA node. From 1 MiB up it asks for huge pages: NICs
/// and processors translate fewer addresses, and speed does not depend on which pages a process
/// happened to get.
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

/// Owns an open file or socket.
class FileHandle {
 public:
  explicit FileHandle(int number) : number_(number) {}
  FileHandle(FileHandle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  ~FileHandle() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// Memory shared through a file without a name (memfd), so that nothing remains once the last
/// process that has it is gone, killed or not, and the size of /dev/shm does not matter. A process
/// maps it once, however often it asks: ranks that are threads share the addresses, which lets
/// ThreadSanitizer see that they touch the same memory.
class SharedMapping {
 public:
  /// Maps all of `file`. Throws std::system_error. Any thread.
  static std::shared_ptr<SharedMapping> of(const FileHandle& file);

  explicit SharedMapping(std::span<std::byte> bytes) : bytes_(bytes) {}
  SharedMapping(const SharedMapping&) = delete;
  SharedMapping& operator=(const SharedMapping&) = delete;
  ~SharedMapping();

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

/// Memory to hand to other processes: `bytes` and at least one page, zeroed. Throws
/// std::runtime_error if there is not enough.
FileHandle make_shared_memory(std::size_t bytes);

}  // namespace railgauge::transport
