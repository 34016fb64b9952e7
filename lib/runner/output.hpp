#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

#include "results/document.hpp"
#include "results/line_file.hpp"
#include "results/writer.hpp"
#include "runner/experiment.hpp"
#include "runner/metrics/run_exporter.hpp"
#include "runner/options/run_options.hpp"

namespace railgauge::runner {

/// Everything a run writes while it goes on and when it ends: the experiment's display on the
/// terminal, the files that were asked for, and metrics. Rank 0 has one.
class Output {
 public:
  /// Whether files that are there are replaced from the start, or as they are until begin_files().
  enum class Earlier { replaced, kept };

  /// Opens the files, and the port for metrics. Throws std::system_error or std::runtime_error if
  /// one cannot be made, exists or is taken.
  explicit Output(const RunOptions& options, Earlier earlier = Earlier::replaced);

  /// What stands above the first row of files, and rows of an earlier run that do not change.
  void begin_files(const results::Document& document);
  /// And of everything else. `display` may be null.
  void begin(const results::Document& document, std::unique_ptr<Display> display);
  /// The document's last row.
  void row(const results::Document& document);
  /// What stands below the last row.
  void end(const results::Document& document);
  /// The document as it is now; when it has ended, for the last time, and all its rows with it if
  /// none was told by row(): those of a test that changes them until the end. What cannot be
  /// written then is thrown when everything else is.
  void write(const results::Document& document);
  /// The document as it would be if this process ended now; write() follows if it does not.
  void draft(const results::Document& document) {
    if (earlier_ == Earlier::replaced) write_document(document);
  }
  /// Whether end() has shown the findings.
  [[nodiscard]] bool shows_findings() const { return display_ && display_->shows_findings(); }
  /// Before something else is printed on the terminal.
  void clear();

  /// With --metrics; else null.
  [[nodiscard]] RunExporter* metrics() { return metrics_ ? &*metrics_ : nullptr; }

 private:
  void write_document(const results::Document& document);
  void add_to_files(const results::Document& document, std::size_t row);
  void end_everything_else(const results::Document& document);

  Earlier earlier_;
  bool to_stdout_;  // the document, as there is neither a table nor a file for it
  std::unique_ptr<Display> display_;
  std::optional<results::Writer> document_;
  std::optional<results::LineFile> lines_;
  std::optional<results::LineFile> csv_;
  std::optional<RunExporter> metrics_;
  bool has_rows_ = false;  // which were told
  std::chrono::steady_clock::time_point written_;
  std::chrono::steady_clock::duration writing_took_{};
};

}  // namespace railgauge::runner
