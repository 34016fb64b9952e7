#pragma once

#include <string>
#include <string_view>

#include "results/file_descriptor.hpp"
#include "results/writer.hpp"

namespace railgauge::results {

/// A file that grows by a line at a time, each of which is there as soon as it was written: for
/// whoever watches a run, or has lost one.
class LineFile {
 public:
  /// Makes the file, empty, or opens the one to be replaced, which keeps what it has until the
  /// first line comes. Throws std::system_error, which names the path and the reason, as Writer
  /// does, and leaves a file that may not be replaced as it is.
  LineFile(const std::string& path, Writer::Existing existing);
  /// Removes a file that it made and that never had a line.
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Appends the line and a line feed. Throws std::system_error (a full disk, say).
  void add(std::string_view line);

 private:
  std::string path_;
  FileDescriptor file_;
  bool is_new_;  // made by this, and not one that is replaced
  bool has_lines_ = false;
};

}  // namespace railgauge::results
