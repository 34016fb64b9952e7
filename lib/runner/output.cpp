#include "runner/output.hpp"

#include <exception>
#include <iostream>
#include <utility>

#include "results/collective.hpp"
#include "results/document.hpp"

namespace railgauge::runner {
namespace {

using Clock = std::chrono::steady_clock;
using Existing = results::Writer::Existing;

}  // namespace

Output::Output(const RunOptions& options, Earlier earlier)
    : earlier_(earlier), to_stdout_(options.table == "none" && options.output_file.empty()) {
  const auto existing = options.overwrite ? Existing::overwrite : Existing::refuse;
  if (!options.output_file.empty()) document_.emplace(options.output_file, existing);
  if (!options.lines_file.empty()) lines_.emplace(options.lines_file, existing);
  if (!options.csv_file.empty()) csv_.emplace(options.csv_file, existing);
  if (options.metrics) metrics_.emplace(*options.metrics, options.metrics_names);
}

void Output::begin_files(const results::Document& document) {
  earlier_ = Earlier::replaced;
  if (csv_) csv_->add(results::csv_header(document.body));
  if (lines_) lines_->add(results::head_line(document));
  // Those that a job goes on with are as they were; of pairs they may change until the end.
  if (std::holds_alternative<results::JobBody>(document.body)) {
    const std::size_t rows = results::row_count(document.body);
    for (std::size_t row = 0; row < rows; ++row) add_to_files(document, row);
    has_rows_ = rows > 0;
  }
  write(document);
}

void Output::begin(const results::Document& document, std::unique_ptr<Display> display) {
  display_ = std::move(display);
  if (metrics_) metrics_->begin(document);
  if (display_) display_->begin(document);
}

void Output::row(const results::Document& document) {
  const std::size_t last = results::row_count(document.body) - 1;
  clear();
  if (display_) display_->row(document);
  has_rows_ = true;
  add_to_files(document, last);
  if (metrics_) metrics_->row(document);
  // A document of many rows is written less often: most of the time is for measuring.
  constexpr int kShare = 20;
  if (Clock::now() - written_ >= kShare * writing_took_) write(document);
}

void Output::end(const results::Document& document) {
  clear();
  if (display_) display_->end(document);
}

void Output::write(const results::Document& document) {
  std::exception_ptr failed;
  try {
    if (earlier_ == Earlier::replaced) write_document(document);
  } catch (const std::exception&) {
    if (!document.exit_code) throw;
    failed = std::current_exception();
  }
  if (document.exit_code) end_everything_else(document);
  if (failed) std::rethrow_exception(failed);
}

void Output::write_document(const results::Document& document) {
  const auto begin = Clock::now();
  if (document_) document_->write(document);
  written_ = Clock::now();
  writing_took_ = written_ - begin;
}

void Output::add_to_files(const results::Document& document, std::size_t row) {
  if (lines_) lines_->add(results::row_line(document, row));
  if (!csv_) return;
  for (const std::string& line : results::csv_lines(document, row)) csv_->add(line);
}

void Output::end_everything_else(const results::Document& document) {
  const bool has_files = earlier_ == Earlier::replaced;
  if (!std::exchange(has_rows_, true)) {
    if (metrics_) metrics_->rows(document);
    const std::size_t rows = has_files ? results::row_count(document.body) : 0;
    for (std::size_t row = 0; row < rows; ++row) add_to_files(document, row);
  }
  if (metrics_) metrics_->end(document);
  if (has_files && lines_) lines_->add(results::head_line(document));
  if (to_stdout_) std::cout << results::json_text(document) << std::flush;
}

void Output::clear() {
  if (display_) display_->clear();
}

}  // namespace railgauge::runner
