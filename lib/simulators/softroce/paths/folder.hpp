#pragma once

#include <dirent.h>

#include <string>
#include <vector>

namespace railgauge::softroce::paths {

/// What opendir() returns for a folder of ours, with its entries at that time. libc's own DIR
/// begins with its file descriptor, which is never negative, so the two can be told apart.
class Folder {
 public:
  /// Takes ownership of `file`, the folder's descriptor.
  Folder(int file, const std::string& path);

  /// Null if the handle is libc's.
  static Folder* of(DIR* handle);
  DIR* handle() { return reinterpret_cast<DIR*>(this); }

  dirent* next();  ///< null at the end
  long position() const { return static_cast<long>(next_); }
  void seek(long position) { next_ = static_cast<std::size_t>(position); }
  int file() const { return file_; }

 private:
  void add(const std::string& name, unsigned char type);
  void add_ours(const std::string& path);
  void add_kernels(const std::string& path);

  [[maybe_unused]] int mark_;  // of() reads it as what a DIR begins with
  int file_;
  std::size_t next_ = 0;
  std::vector<dirent> entries_;
};

}  // namespace railgauge::softroce::paths
