#pragma once

#include <optional>
#include <string>

#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

/// Distinguishes one state of a file from another.
struct FileState {
  std::uint64_t inode = 0;
  std::int64_t bytes = -1;  ///< -1: no such file
  nanoseconds modified{};
  bool operator==(const FileState&) const = default;
};

/// The plan in force: SOFTROCE_FAULTS holds rules, or SOFTROCE_FAULTS_FILE names a file with rules,
/// which is read again whenever it changes, so that faults come and go while a program runs. If
/// neither is set there are no faults. A rule for a device that the process does not have is
/// refused in SOFTROCE_FAULTS; in a file, which hosts with different devices may share, it is
/// ignored, and stderr gets a sentence. Not thread-safe.
class FaultSource {
 public:
  /// Whether stderr gets a sentence about a changed file that is invalid: of several sources of a
  /// process, one says so.
  enum class Complaints : std::uint8_t { told, kept };
  /// From the environment, for a process with the first `devices` soft devices. Throws
  /// std::invalid_argument for invalid rules, an unreadable file, or both variables set.
  FaultSource() : FaultSource(Complaints::told) {}
  explicit FaultSource(Complaints complaints, int devices = kMostDevices);

  const FaultPlan& plan() const { return plan_; }

  /// Checks the file, but at most every 50 ms; true if there is a new plan. A changed file is read
  /// at the check after the one that saw the change, and only if it has not changed again: so a
  /// half-written file is not read, nor one that an editor has just truncated. A new plan is in
  /// force 50 to 100 ms after it was written. If it is invalid or the file is gone, the old plan
  /// remains in force, and stderr gets one sentence for each such state of the file.
  bool changed(Time now);

 private:
  bool reread();
  void tell_absence() const;

  Complaints complaints_;
  int devices_;
  std::string path_;  ///< empty: no file
  FaultPlan plan_;
  FileState read_;  ///< what plan_ was read from, or what was refused
  FileState seen_;  ///< at the last check
  std::optional<Time> last_look_;
};

}  // namespace railgauge::softroce
