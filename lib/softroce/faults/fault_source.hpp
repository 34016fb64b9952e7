#pragma once

#include <optional>
#include <string>

#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

/// Tells one state of a file from another.
struct FileState {
  std::uint64_t inode = 0;
  std::int64_t bytes = -1;  ///< -1: there is no such file
  nanoseconds modified{};
  bool operator==(const FileState&) const = default;
};

/// The plan in force: SOFTROCE_FAULTS holds rules, or SOFTROCE_FAULTS_FILE names a file with rules,
/// which is read again whenever it has changed, so that faults come and go while a program runs.
/// Neither set or both empty: no faults. Not thread-safe.
class FaultSource {
 public:
  /// From the environment. Throws std::invalid_argument: wrong rules, a file that cannot be read,
  /// or both variables set.
  FaultSource();

  const FaultPlan& plan() const { return plan_; }

  /// Looks at the file, but not more often than every 50 ms; true when there is a new plan. A
  /// changed file is read at the look after the one that saw the change, if it has not changed
  /// again: what is being written is not read half, nor is the moment in which an editor has
  /// emptied it. So a new plan is in force 50 to 100 ms after it was written. If it is wrong, or
  /// the file gone, the old plan stays in force, and stderr has one sentence for each such state of
  /// the file.
  bool changed(Time now);

 private:
  bool reread();

  std::string path_;  ///< empty: no file
  FaultPlan plan_;
  FileState read_;  ///< what plan_ was made of, or was refused
  FileState seen_;  ///< at the last look
  std::optional<Time> last_look_;
};

}  // namespace railgauge::softroce
