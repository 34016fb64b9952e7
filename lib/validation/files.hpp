#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "results/file_descriptor.hpp"
#include "validation/plan.hpp"

namespace railgauge::validation {

/// The files of a validation, all in one folder.
struct Site {
  std::filesystem::path folder{};

  [[nodiscard]] std::filesystem::path journal() const { return folder / "journal.json"; }
  [[nodiscard]] std::filesystem::path manifest() const { return folder / "SHA256SUMS"; }

  /// "site/03-bandwidth.json", where ending is ".json"; `stage`: its place in the plan, from 0 on.
  [[nodiscard]] std::filesystem::path of(const Plan& plan, std::size_t stage,
                                         std::string_view ending) const;
};

/// Replaces a file as a whole: whoever reads it, also after a crash, finds the old or the new one.
/// Throws std::system_error, which names it and the reason; the old one is kept then.
void replace_file(const std::filesystem::path& path, std::string_view text);

/// One supervisor at a time in a folder. Its programs hold the lock, too, so that after a kill
/// nothing starts before the last of them has ended.
class SiteLock {
 public:
  /// Makes the folder if it is not there. Throws std::runtime_error if others have the lock for
  /// half a minute, std::system_error if it cannot be taken.
  explicit SiteLock(const Site& site);

 private:
  results::FileDescriptor file_;
};

}  // namespace railgauge::validation
