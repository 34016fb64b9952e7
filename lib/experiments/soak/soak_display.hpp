#pragma once

#include <string>
#include <vector>

#include "finding/outcome.hpp"
#include "results/document.hpp"
#include "runner/experiment.hpp"
#include "soak/header.hpp"
#include "soak/window.hpp"

namespace railgauge::runner {

/// A soak on rank 0's terminal: what is run, a line for each window, findings as they come, phases
/// and outcome at the end.
class SoakDisplay final : public Display {
 public:
  /// Of each rank.
  explicit SoakDisplay(unsigned progress_threads) : progress_threads_(progress_threads) {}

  void begin(const results::Document& document) override;
  void row(const results::Document& /*document*/) override {}
  void end(const results::Document& /*document*/) override {}

  /// Above the first window. `record` is its file; `windows`: those that the soak had before.
  void plan(const soak::Header& header, const std::string& record, std::uint64_t windows);
  void window(const soak::Window& window, const std::vector<finding::Finding>& findings,
              finding::Outcome so_far);
  void finding(const finding::Finding& finding);
  /// However it ended.
  void outcome(const results::SoakBody& body, const finding::Report& report);

 private:
  unsigned progress_threads_;
};

}  // namespace railgauge::runner
