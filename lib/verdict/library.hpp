#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "verdict/policy.hpp"
#include "verdict/reference.hpp"

namespace railgauge::verdict {

/// The references and policies that come with railgauge: DIRECTORY/reference/NAME.json and
/// DIRECTORY/policy/NAME.json, where DIRECTORY is results-schema in a checkout and
/// PREFIX/share/railgauge/results-schema when installed.
class Library {
 public:
  explicit Library(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// Names, sorted. Throws std::runtime_error if the directory is missing.
  [[nodiscard]] std::vector<std::string> references() const { return names("reference"); }
  [[nodiscard]] std::vector<std::string> policies() const { return names("policy"); }

  /// The document of a name, or of a file if there is one of that path. Throws std::runtime_error,
  /// which names file, line and reason, if it cannot be read or is none, and std::invalid_argument
  /// if there is neither.
  [[nodiscard]] Reference reference(const std::string& name_or_file) const;
  [[nodiscard]] Policy policy(const std::string& name_or_file) const;

 private:
  [[nodiscard]] std::vector<std::string> names(const char* kind) const;
  [[nodiscard]] std::filesystem::path file(const char* kind, const std::string& name) const;

  std::filesystem::path directory_;
};

/// Where the running program finds them: relative to its own file in an installation, else the
/// source tree it was built from.
std::filesystem::path shipped_data();

/// A file as JSON, or standard input for "-". Throws std::runtime_error, which names it, the line
/// and the reason.
nlohmann::ordered_json read_json(const std::filesystem::path& file);

/// The names that somebody may have meant by `wanted`, most likely first, three at most: those in
/// which it stands somewhere, or if there are none, nearly stands: a third of its letters may be
/// wrong, missing or too many.
std::vector<std::string> nearest(const std::vector<std::string>& names, const std::string& wanted);

}  // namespace railgauge::verdict
