#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cluster/device_options.hpp"
#include "measure/timing.hpp"
#include "results/document.hpp"
#include "runner/setting.hpp"
#include "schedule/algorithms.hpp"
#include "transport/verbs_transport.hpp"

namespace railgauge::runner {

/// By which way ranks of one host exchange data.
enum class SameHost : std::uint8_t { rails, memory };

enum class TableForm : std::uint8_t { nccl, wide, none };

/// A binary of the suite.
struct Program {
  std::string collective;  // as in its name: "all_reduce" of all_reduce_perf
  schedule::Collective kind = schedule::Collective::all_reduce;
  std::string algorithm{};      // the only one; empty: all of the collective, by --algo
  bool algbw_of_moved = false;  // algbw leaves out what a rank need not be sent

  [[nodiscard]] std::string name() const { return collective + "_perf"; }
};

/// What the command line asks for; named as in nccl-tests where it has the option.
struct Options {
  schedule::Collective collective = schedule::Collective::all_reduce;

  // Sizes: by a factor, or if that is 1 by steps.
  std::uint64_t min_bytes = 32 << 20;
  std::uint64_t max_bytes = 32 << 20;
  std::uint64_t step_bytes = 1 << 20;
  std::uint64_t step_factor = 1;

  // Axes: the run is their product.
  std::vector<const schedule::Algorithm*> algorithms;  // one that cannot serve the ranks is left
                                                       // out if all were asked for
  enum class Choice : std::uint8_t { named, all, automatic };
  Choice choice = Choice::named;
  std::vector<reduce::ElementType> types{reduce::ElementType::float32};
  std::vector<reduce::Operator> ops{reduce::Operator::sum};
  std::vector<int> roots{0};  // -1: every rank
  std::vector<unsigned> queue_pairs{1};
  std::vector<std::uint32_t> chunks{128 * 1024};
  std::vector<std::uint8_t> traffic_classes{0};
  std::vector<RailChoice> rails{RailChoice{}};

  // How it is measured.
  measure::TimingRule timing;
  std::uint64_t cycles = 1;        // of the whole sweep of sizes; 0: until somebody stops it
  std::uint64_t unaligned = 0;     // elements by which buffers begin off a page
  std::string matrix_file;         // who sends how much to whom in all-to-all-v; or else
  unsigned spread_percent = 50;    // by how much blocks differ from each other
  std::chrono::seconds limit{60};  // of one collective, of connecting, of any exchange

  // The way data take.
  unsigned reducing_threads = 1;  // of each rank, that combine data
  unsigned window = 0;            // chunks under way on a channel; 0: the session settles it
  transport::Connect connect = transport::Connect::exchange;
  SameHost same_host = SameHost::rails;
  bool cross_rail = false;  // ranks with rails of their own may send from one to another
  int inline_bytes = 64;    // wish: writes up to this size travel inside the request

  // Who takes part.
  int nodes = 0;  // hosts, and ranks on each of them, that have to; 0: any number
  int per_node = 0;
  cluster::DeviceOptions device;
  bool single = false;  // one rank is meant

  // What comes out.
  TableForm table = TableForm::nccl;
  bool timestamps = false;
  bool per_iteration = false;  // nccl-tests' -I: four more columns
  bool overwrite = false;      // files that exist
  std::string output_file;
  std::string lines_file;
  std::string csv_file;
  std::map<std::string, results::Option> in_force;  // by long name, for the result document

  [[nodiscard]] std::vector<std::uint64_t> sizes() const;
  /// All points of the axes, for so many rails and ranks; sizes and algorithms vary within each.
  /// Throws std::invalid_argument for a rail that is not there.
  [[nodiscard]] std::vector<Setting> settings(unsigned rails, unsigned ranks) const;
};

/// Help and version end the program with `text` on stdout; a mistake with `text` on stderr.
struct ParsedOptions {
  std::optional<Options> options;  // empty: `text` is the answer
  std::string text;
  bool mistake = false;
};

/// Every option comes from the command line; or, if not from there, from the file that --config
/// names; or from the environment (--minbytes from RAILGAUGE_MINBYTES); or has its default. Touches
/// no device. Everything that can be said about the options alone is checked here. Options that
/// mean nothing to the program are unknown.
[[nodiscard]] ParsedOptions parse_options(const Program& program, int argc, char** argv);

}  // namespace railgauge::runner
