#pragma once

#include <string>
#include <vector>

#include "options/option_table.hpp"
#include "results/exit_code.hpp"
#include "verdict/comparison.hpp"

namespace railgauge::benchmarks {

/// The options that say what results are held to.
class CriteriaOptions {
 public:
  /// Adds a row for each; has to outlive the table.
  void add_to(options::OptionTable& table);

  /// Whether anything was asked for.
  [[nodiscard]] bool any() const;

  /// After the command line was parsed. Throws std::invalid_argument for what cannot be,
  /// std::runtime_error when a file cannot be read.
  [[nodiscard]] verdict::Criteria criteria() const;

  /// 0 if all results pass, or with --allow-no-reference only lack something to compare with.
  [[nodiscard]] results::ExitCode exit_code(
      const std::vector<verdict::Judgement>& judgements) const;

 private:
  std::vector<std::string> references_;
  std::vector<std::string> baselines_;
  std::vector<std::string> policies_;
  std::vector<std::string> predictions_;
  double tolerance_ = 0.05;
  bool line_rate_ = false;
  bool interpolate_ = false;
  bool absolute_ = false;
  bool allow_no_reference_ = false;
};

}  // namespace railgauge::benchmarks
