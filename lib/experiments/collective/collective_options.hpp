#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experiments/collective/gpu_data.hpp"
#include "experiments/collective/program.hpp"
#include "experiments/collective/rail_choice.hpp"
#include "experiments/collective/split.hpp"
#include "measure/timing.hpp"
#include "options/syntax.hpp"
#include "reduce/reduction.hpp"
#include "runner/options/run_options.hpp"
#include "schedule/algorithms.hpp"
#include "transport/verbs_transport.hpp"

namespace railgauge::runner {

/// How ranks of one host exchange data.
enum class SameHost : std::uint8_t { rails, memory };

/// One combination of the axes, size and algorithm aside.
struct Combination {
  reduce::ElementType type = reduce::ElementType::float32;
  reduce::Operator op = reduce::Operator::sum;
  results::SweepPoint point{};
};

/// The options of a collective's benchmark; named as in nccl-tests where it has the option.
struct CollectiveOptions {
  schedule::Collective collective = schedule::Collective::all_reduce;

  // Sizes: multiplied by the factor, or if that is 1 added to by the step.
  std::uint64_t min_bytes = 32 << 20;
  std::uint64_t max_bytes = 32 << 20;
  std::uint64_t step_bytes = 1 << 20;
  std::uint64_t step_factor = 1;

  // Axes: every combination is run.
  std::vector<std::string> algorithm_names;  // as given: names, or all, auto or by-size
  enum class Choice : std::uint8_t { named, all, automatic, by_size };
  Choice choice = Choice::named;
  std::map<std::string, std::string> family_of;  // by algorithm, if it was asked for by its family
  std::vector<const schedule::Algorithm*> algorithms;  // those that cannot serve the ranks are left
                                                       // out if all were asked for
  std::vector<reduce::ElementType> types{reduce::ElementType::float32};
  std::vector<reduce::Operator> ops{reduce::Operator::sum};
  std::vector<int> roots{0};  // -1: every rank
  enum class Reduce : std::uint8_t { all, none };
  std::vector<Reduce> reduce{Reduce::all};  // none: moved, not combined, and never verified
  std::vector<results::MemoryKind> memory{results::MemoryKind::host};
  std::vector<unsigned> queue_pairs{1};
  std::vector<std::uint32_t> chunks{128 * 1024};
  std::vector<std::uint8_t> traffic_classes{0};
  std::vector<RailChoice> rails{RailChoice{}};
  SplitRule split{};  // the groups in which ranks run the collective; no axis

  // How it is measured.
  measure::TimingRule timing;
  std::uint64_t cycles = 1;      // of the whole sweep of sizes; 0: until it is stopped
  std::uint64_t unaligned = 0;   // elements by which buffers begin off a page
  std::string matrix_file;       // who sends how much to whom in all-to-all-v; or else
  unsigned spread_percent = 50;  // by how much blocks differ from each other

  // How data travel.
  GpuReduce gpu_reduce = GpuReduce::gpu;
  unsigned reducing_threads = 1;  // of each rank
  unsigned progress_threads = 0;  // of each rank, at most one a rail; 0: settled by the run
  unsigned window = 0;            // chunks in flight per channel; 0: settled by the run
  transport::Connect connect = transport::Connect::exchange;
  SameHost same_host = SameHost::rails;
  bool spread_paths = false;  // flow labels that lead queue pairs over different paths
  bool cross_rail = false;    // ranks with rails of their own may send from one to another
  int inline_bytes = 64;      // wish: writes up to this size travel inside the request

  // What is printed.
  bool timestamps = false;
  bool per_iteration = false;  // nccl-tests' -I: four more columns

  std::vector<std::string> notes;  // what may not be meant as it was said, a sentence each

  [[nodiscard]] std::vector<std::uint64_t> sizes() const;
  /// All combinations of the axes, for this many rails and ranks. Throws std::invalid_argument for
  /// a rail that does not exist.
  [[nodiscard]] std::vector<Combination> combinations(unsigned rails, unsigned ranks) const;
};

/// Adds the rows of a program's options; those that mean nothing to its collective are unknown.
void add_collective_options(options::OptionTable& table, const Program& program,
                            CollectiveOptions& options);

/// Options of every test that runs collectives.
constexpr unsigned kMostQueuePairs = 64;
[[nodiscard]] options::Declaration<RailChoice> rails_in_use();
[[nodiscard]] options::Declaration<GpuReduce> gpu_reduce();
[[nodiscard]] options::Declaration<unsigned> reducing_threads();
[[nodiscard]] options::Declaration<unsigned> progress_threads();
[[nodiscard]] options::Declaration<transport::Connect> connect();
[[nodiscard]] options::Declaration<SameHost> same_host();

/// Options of nccl-tests that are about GPUs, and former names of ours: an error that says what to
/// use instead, because a script would not get what it asks for. A value that asks for what is done
/// anyway gets a note.
void refuse_options(options::OptionTable& table);

/// Throws std::invalid_argument if several progress threads are asked for with --same-host memory.
void check_progress_threads(unsigned threads, SameHost same_host);

/// Throws std::invalid_argument for memory of a GPU with --same-host memory.
void check_memory(const std::vector<results::MemoryKind>& memory, SameHost same_host);

/// Of a program that reduces: throws std::invalid_argument for options on who does, where nobody
/// would.
void check_reducers(const options::OptionTable& table,
                    const std::vector<results::MemoryKind>& memory);

/// After parsing: resolves algorithms and checks what the options say together. Throws
/// std::invalid_argument.
void check_collective_options(const options::OptionTable& table, CollectiveOptions& options);

}  // namespace railgauge::runner
