#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "transport/file_handle.hpp"

namespace railgauge::transport {

/// Anonymous memory in a file without a name, so that nothing is left of it when the last process
/// that has it is gone, killed or not, and no limit of /dev/shm is met. It is mapped once in a
/// process, however often it is asked for: ranks that are threads share the addresses, which is
/// what lets ThreadSanitizer see them meet.
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

/// Memory to be handed to other processes: `bytes` and at least one page, zeroed. Throws
/// std::runtime_error when there is not so much.
FileHandle make_shared_memory(std::size_t bytes);

}  // namespace railgauge::transport
