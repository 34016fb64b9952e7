#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "verdict/comparison.hpp"

namespace railgauge::benchmarks {

/// The options that say what results are held to. Adds them to `command`, which it does not keep.
class CriteriaOptions {
 public:
  explicit CriteriaOptions(CLI::App& command);

  /// Whether anything was asked for.
  [[nodiscard]] bool any() const;

  /// After the command line was parsed. Throws std::invalid_argument for what cannot be,
  /// std::runtime_error when a file cannot be read.
  [[nodiscard]] verdict::Criteria criteria() const;

  /// Whether a verdict is one to go on with: a pass, or with --allow-no-reference no answer.
  [[nodiscard]] bool passes(verdict::Verdict verdict) const;

 private:
  std::vector<std::string> references_;
  std::vector<std::string> baselines_;
  std::vector<std::string> policies_;
  std::string tolerance_ = "5%";
  bool line_rate_ = false;
  bool interpolate_ = false;
  bool absolute_ = false;
  bool allow_no_reference_ = false;
};

}  // namespace railgauge::benchmarks
