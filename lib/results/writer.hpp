#pragma once

#include <string>

#include "results/document.hpp"
#include "results/file_descriptor.hpp"

namespace railgauge::results {

/// Keeps one file equal to the latest version of a document. One rank of a run owns a writer.
///
/// The file is valid JSON at every moment from the first write() on: a version is written next to
/// it under a hidden name, synced, and renamed over it. A write that fails leaves the version
/// before.
class Writer {
 public:
  enum class Existing { refuse, overwrite };

  /// Fails before anything was measured if write() could not work: throws std::system_error, which
  /// names the path and the reason, when the directory is missing or not writable, or when the path
  /// exists and `existing` is refuse, or exists and is no ordinary file. Leaves nothing behind.
  explicit Writer(const std::string& path, Existing existing = Existing::refuse);

  /// Throws std::system_error, which names the path and the reason, when the disk is full, the sync
  /// fails, or (refuse) somebody else made the file since. No temporary file is left then.
  void write(const Document& document);

 private:
  std::string path_;          // as given, for messages
  std::string name_;          // in its directory
  std::string temporary_;     // likewise
  FileDescriptor directory_;  // held open, so that a change of working directory does no harm
  bool may_replace_;          // whether a file of that name may be replaced
};

}  // namespace railgauge::results
