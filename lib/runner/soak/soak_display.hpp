#pragma once

#include <string>
#include <vector>

#include "results/document.hpp"
#include "runner/display.hpp"
#include "soak/header.hpp"
#include "soak/window.hpp"

namespace railgauge::runner {

/// A soak on rank 0's terminal: what is run, a line for each window, events as they come, phases
/// and verdict at the end.
class SoakDisplay final : public Display {
 public:
  /// Of each rank.
  explicit SoakDisplay(unsigned progress_threads) : progress_threads_(progress_threads) {}

  void begin(const results::Document& document) override;
  void row(const results::Document& /*document*/) override {}
  void end(const results::Document& /*document*/) override {}

  /// Above the first window. `record` is its file; `gap`: the soak goes on, after so many windows.
  void plan(const soak::Header& header, const std::string& record, std::uint64_t windows);
  void window(const soak::Window& window, const std::vector<soak::Event>& events,
              const soak::Judgement& so_far);
  void event(const soak::Event& event);
  /// However it ended.
  void verdict(const results::SoakBody& body, const soak::Judgement& judgement);

 private:
  unsigned progress_threads_;
};

}  // namespace railgauge::runner
