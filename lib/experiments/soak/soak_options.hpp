#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/collective/collective_options.hpp"
#include "runner/options/run_options.hpp"
#include "soak/plan.hpp"
#include "soak/watcher.hpp"

namespace railgauge::runner {

/// The options of a soak.
struct SoakOptions {
  std::chrono::seconds duration{24 * 3600};
  std::chrono::seconds window{60};
  double load = 0.8;    // of what the fabric did at the start; 1: not paced
  double verify = 0.1;  // of the time, for verification; 1: every iteration

  std::vector<std::string> fail_on{};  // empty: soak::failing_causes()
  std::optional<double> outage;        // none: settled by the run

  std::string plan_file;  // or else all combinations of
  std::vector<std::string> collectives{"all_reduce", "alltoall"};
  std::vector<std::uint64_t> sizes;  // none: settled by the run
  RailChoice rails{};                // of phases that do not say otherwise

  std::uint8_t traffic_class = 0;
  unsigned queue_pairs = 1;
  results::MemoryKind memory = results::MemoryKind::host;
  CollectiveOptions transport{};  // how data travel and who reduces

  std::string record_file;  // none: soak.jsonl beside the document
  std::string resume_file;
};

/// Adds a row for each.
void add_soak_options(options::OptionTable& table, SoakOptions& options);

/// After parsing: checks what the options say together. Throws std::invalid_argument.
void check_soak_options(const options::OptionTable& table, const RunOptions& run,
                        const SoakOptions& options);

/// The file with the samples: --resume, --record, or soak.jsonl in the document's folder, or here.
[[nodiscard]] std::string record_path(const SoakOptions& options, const RunOptions& run);

/// What is to be run, before the rails are known: the plan of the file, or that of the options.
/// Throws std::runtime_error if the file cannot be read, or is no plan.
[[nodiscard]] std::vector<soak::PlannedPhase> planned_phases(const SoakOptions& options,
                                                             bool on_software);

/// A plan for a fabric of so many rails and ranks: rails and algorithms by name. Throws
/// std::invalid_argument, which names the phase, for a collective, an algorithm or a rail that does
/// not exist, or a size that leaves a rank nothing to send.
[[nodiscard]] std::vector<soak::Phase> settled_plan(const std::vector<soak::PlannedPhase>& planned,
                                                    const RailChoice& usual_rails, unsigned rails,
                                                    unsigned ranks);

}  // namespace railgauge::runner
