#pragma once

#include <memory>
#include <optional>

#include "results/document.hpp"
#include "results/line_file.hpp"
#include "results/table.hpp"
#include "results/writer.hpp"
#include "runner/options/options.hpp"
#include "runner/progress.hpp"

namespace railgauge::runner {

/// All that comes out of a run while it goes on and when it ends: the table on stdout, and the
/// files that were asked for. One rank has one.
class Output {
 public:
  /// Opens the files. Throws std::system_error if one cannot be made, or is there.
  explicit Output(const Options& options);

  /// The table's head, and the files' first lines. `settings`: how many there will be.
  void begin(const results::Document& document, std::size_t settings);
  /// The document's last row.
  void row(const results::Document& document);
  /// The table's foot.
  void finish(const results::Document& document);
  /// The document as it is now; when it has ended, for the last time.
  void write(const results::Document& document);
  /// Before something is printed on the terminal.
  void clear_progress();

 private:
  void print_row(const results::CollectiveRow& row);

  const Options& options_;
  std::unique_ptr<results::Table> table_;
  std::optional<results::Writer> document_;
  std::optional<results::LineFile> lines_;
  std::optional<results::LineFile> csv_;
  std::optional<Progress> progress_;
  std::chrono::steady_clock::time_point written_;
  std::chrono::steady_clock::duration writing_took_{};
};

}  // namespace railgauge::runner
