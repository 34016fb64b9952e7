#include "experiments/collective/collective_display.hpp"

#include <iostream>
#include <memory>

#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "results/collective.hpp"
#include "results/group_bandwidth.hpp"
#include "results/nccl_table.hpp"
#include "results/table.hpp"
#include "results/wide_table.hpp"
#include "runner/progress.hpp"

namespace railgauge::runner {
namespace {

std::unique_ptr<results::Table> table_of(const std::string& form) {
  if (form == "nccl") return std::make_unique<results::NcclTable>(std::cout);
  if (form == "wide") return std::make_unique<results::WideTable>(std::cout);
  return nullptr;
}

std::string separation_of(measure::Separation separation) {
  switch (separation) {
    case measure::Separation::none: return "";
    case measure::Separation::barrier_outside: return "an untimed barrier before each iteration";
    case measure::Separation::barrier_inside: return "a timed barrier after each collective";
  }
  return "";
}

/// One algorithm for each size.
bool chooses(const CollectiveOptions& options) {
  using Choice = CollectiveOptions::Choice;
  return options.choice == Choice::automatic || options.choice == Choice::by_size;
}

results::TableParameters parameters_of(const CollectiveOptions& options) {
  return {.min_bytes = options.min_bytes,
          .max_bytes = options.max_bytes,
          .step_bytes = options.step_bytes,
          .step_factor = options.step_factor,
          .warmup_iterations = options.timing.warm_up,
          .iterations = options.timing.stopping.iterations,
          .collectives = options.timing.collectives,
          .check_iterations = options.timing.verified,
          .unaligned = options.unaligned,
          .progress_threads = options.progress_threads,
          .separation = separation_of(options.timing.separation),
          .interval_asked = options.timing.stopping.interval.has_value(),
          .per_iteration = options.per_iteration,
          .timestamps = options.timestamps,
          .chosen = chooses(options),
          .family_of = options.family_of};
}

/// Small sizes take time, too.
double work_of(std::uint64_t bytes) {
  constexpr double kLeast = 64 * 1024;
  return static_cast<double>(bytes) + kLeast;
}

/// Each size with each algorithm, at most: some may not be able to serve the ranks.
std::unique_ptr<Progress> progress_of(const Terminal& terminal, const CollectiveOptions& options,
                                      std::size_t combinations) {
  const auto sizes = options.sizes();
  const std::size_t algorithms = chooses(options) ? 1 : options.algorithms.size();
  const std::uint64_t times = combinations * algorithms * options.cycles;
  double work = 0;
  for (const std::uint64_t bytes : sizes) work += work_of(bytes) * static_cast<double>(times);
  return std::make_unique<Progress>(*terminal.stream, sizes.size() * times, work,
                                    std::chrono::steady_clock::now(), terminal.iterations);
}

const results::CollectiveBody& body_of(const results::Document& document) {
  return std::get<results::CollectiveBody>(document.body);
}

class CollectiveDisplay final : public Display {
 public:
  CollectiveDisplay(const CollectiveOptions& options, const std::string& table,
                    std::size_t combinations, const Terminal& terminal)
      : options_(options),
        combinations_(combinations),
        terminal_(terminal),
        table_(table_of(table)) {}

  void begin(const results::Document& document) override {
    if (table_) table_->header(document, parameters_of(options_));
    if (terminal_.stream != nullptr && options_.cycles > 0)
      progress_ = progress_of(terminal_, options_, combinations_);
  }

  void row(const results::Document& document) override {
    const results::CollectiveRow& row = body_of(document).rows.back();
    if (table_) {
      table_->row(row);
      table_->remark(results::line_of_groups(body_of(document), row));
    }
    if (progress_) progress_->row(work_of(row.size_bytes));
  }

  void end(const results::Document& document) override {
    if (!table_) return;
    for (const results::RailSum& sum : results::rail_sums(body_of(document).rows)) {
      table_->remark(results::line_of(sum));
    }
    for (const auto& group : grouped(finding::ranked(document.report.findings)))
      table_->remark("# finding: " + sentence(group) + "\n");
    const std::string share = results::verified_share(body_of(document).rows);
    if (!share.empty()) table_->remark("# Verified: " + share + "\n");
    table_->footer();
  }

  [[nodiscard]] bool shows_findings() const override { return table_ != nullptr; }

  void clear() override {
    if (progress_) progress_->clear();
  }

 private:
  const CollectiveOptions& options_;
  std::size_t combinations_;
  Terminal terminal_;
  std::unique_ptr<results::Table> table_;
  std::unique_ptr<Progress> progress_;
};

}  // namespace

std::unique_ptr<Display> collective_display(const CollectiveOptions& options,
                                            const std::string& table, std::size_t combinations,
                                            const Terminal& terminal) {
  return std::make_unique<CollectiveDisplay>(options, table, combinations, terminal);
}

}  // namespace railgauge::runner
