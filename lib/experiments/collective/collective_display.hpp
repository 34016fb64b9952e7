#pragma once

#include <memory>
#include <optional>
#include <ostream>

#include "experiments/collective/collective_options.hpp"
#include "results/table.hpp"
#include "runner/display.hpp"
#include "runner/progress.hpp"

namespace railgauge::runner {

/// nccl-tests' table or the wide one on stdout, and on a terminal how much is left. For rank 0.
class CollectiveDisplay final : public Display {
 public:
  /// `table`: "nccl", "wide" or "none". `combinations`: how many there will be. `progress`: the
  /// terminal, or null.
  CollectiveDisplay(const CollectiveOptions& options, const std::string& table,
                    std::size_t combinations, std::ostream* progress);

  void begin(const results::Document& document) override;
  void row(const results::Document& document) override;
  void end(const results::Document& document) override;
  [[nodiscard]] bool shows_findings() const override { return table_ != nullptr; }
  void clear() override;

 private:
  [[nodiscard]] std::string verified_share() const;

  const CollectiveOptions& options_;
  std::size_t combinations_;
  std::ostream* terminal_;
  std::unique_ptr<results::Table> table_;
  std::optional<Progress> progress_;
  std::uint64_t verified_ = 0;    // iterations
  std::uint64_t iterations_ = 0;  // timed
};

}  // namespace railgauge::runner
