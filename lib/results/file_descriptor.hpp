#pragma once

#include <unistd.h>

#include <utility>

namespace railgauge::results {

/// Owns an open file or directory and closes it. Whoever needs to know whether data reached the
/// disk calls fsync() first: what close() would say comes too late.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] int number() const { return number_; }  // negative: what open() failed to open

 private:
  int number_;
};

}  // namespace railgauge::results
