#include "runner/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "results/collective.hpp"
#include "results/lines.hpp"
#include "results/nccl_table.hpp"
#include "results/wide_table.hpp"

namespace railgauge::runner {
namespace {

using Clock = std::chrono::steady_clock;
using Existing = results::Writer::Existing;

std::unique_ptr<results::Table> table_of(TableForm form) {
  switch (form) {
    case TableForm::nccl: return std::make_unique<results::NcclTable>(std::cout);
    case TableForm::wide: return std::make_unique<results::WideTable>(std::cout);
    case TableForm::none: break;
  }
  return nullptr;
}

std::string separation_of(measure::Separation separation) {
  switch (separation) {
    case measure::Separation::none: return "";
    case measure::Separation::barrier_outside: return "a barrier, not timed, before each iteration";
    case measure::Separation::barrier_inside: return "a barrier, timed, after each collective";
  }
  return "";
}

results::TableParameters parameters_of(const Options& options) {
  return {.min_bytes = options.min_bytes,
          .max_bytes = options.max_bytes,
          .step_bytes = options.step_bytes,
          .step_factor = options.step_factor,
          .warmup_iterations = options.timing.warm_up,
          .iterations = options.timing.stopping.iterations,
          .collectives = options.timing.collectives,
          .check_iterations = options.timing.verified,
          .unaligned = options.unaligned,
          .separation = separation_of(options.timing.separation),
          .interval_asked = options.timing.stopping.interval.has_value(),
          .per_iteration = options.per_iteration,
          .timestamps = options.timestamps};
}

/// Small sizes take time, too.
double work_of(std::uint64_t bytes) {
  constexpr double kLeast = 64 * 1024;
  return static_cast<double>(bytes) + kLeast;
}

/// Each size with each algorithm, at most: some may not be able to serve the ranks.
Progress progress_of(const Options& options, std::size_t settings) {
  const auto sizes = options.sizes();
  const bool chosen = options.choice == Options::Choice::automatic;
  const std::size_t algorithms = chosen ? 1 : options.algorithms.size();
  const std::uint64_t times = settings * algorithms * options.cycles;
  double work = 0;
  for (const std::uint64_t bytes : sizes) work += work_of(bytes) * static_cast<double>(times);
  return {std::cerr, sizes.size() * times, work};
}

}  // namespace

Output::Output(const Options& options) : options_(options), table_(table_of(options.table)) {
  const auto existing = options.overwrite ? Existing::overwrite : Existing::refuse;
  if (!options.output_file.empty()) document_.emplace(options.output_file, existing);
  if (!options.lines_file.empty()) lines_.emplace(options.lines_file, existing);
  if (!options.csv_file.empty()) csv_.emplace(options.csv_file, existing);
}

void Output::begin(const results::Document& document, std::size_t settings) {
  if (csv_) csv_->add(results::csv_header(document.body));
  if (lines_) lines_->add(results::head_line(document));
  write(document);
  if (table_) table_->header(document, parameters_of(options_));
  if (::isatty(STDERR_FILENO) != 0 && options_.cycles > 0) {
    progress_.emplace(progress_of(options_, settings));
  }
}

void Output::row(const results::Document& document) {
  const auto& rows = std::get<results::CollectiveBody>(document.body).rows;
  const results::CollectiveRow& row = rows.back();
  const std::size_t number = rows.size() - 1;
  clear_progress();
  if (table_) table_->row(row);
  if (progress_) progress_->row(work_of(row.size_bytes));
  if (lines_) lines_->add(results::row_line(document, number));
  if (csv_) {
    for (const std::string& line : results::csv_lines(document, number)) csv_->add(line);
  }
  // A document of many rows is written less often: most of the time is for measuring.
  constexpr int kPart = 20;
  if (Clock::now() - written_ >= kPart * writing_took_) write(document);
}

void Output::finish(const results::Document& document) {
  clear_progress();
  if (!table_) return;
  for (const results::RailSum& sum :
       results::rail_sums(std::get<results::CollectiveBody>(document.body).rows)) {
    table_->remark(results::line_of(sum));
  }
  table_->footer();
}

void Output::write(const results::Document& document) {
  const auto begin = Clock::now();
  if (document_) document_->write(document);
  written_ = Clock::now();
  writing_took_ = written_ - begin;
  if (!document.exit_code) return;
  if (lines_) lines_->add(results::head_line(document));
  if (options_.table == TableForm::none && !document_) {
    std::cout << results::json_text(document) << std::flush;
  }
}

void Output::clear_progress() {
  if (progress_) progress_->clear();
}

}  // namespace railgauge::runner
