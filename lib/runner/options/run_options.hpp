#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cluster/local_host.hpp"
#include "metrics/target.hpp"
#include "options/option_table.hpp"
#include "results/document.hpp"
#include "runner/metrics/run_exporter.hpp"

namespace railgauge::runner {

/// The options that every multi-rank test has.
struct RunOptions {
  cluster::DeviceOptions device;

  // Who has to take part.
  int nodes = 0;           // hosts; 0: any number
  int ranks_per_node = 0;  // on each of them; 0: any number
  bool allow_single = false;

  std::chrono::seconds limit{60};  // of every wait for other ranks

  // What comes out.
  std::string table;  // one of the experiment's forms, or none: on stdout nothing but the document
  std::string output_file;
  std::string lines_file;
  std::string csv_file;
  bool overwrite = false;      // files that exist
  bool has_own_files = false;  // the experiment's, which --force is about, too
  enum class Progress { automatic, to_stdout, to_stderr, none };
  Progress progress = Progress::automatic;  // on stderr if it is a terminal
  std::optional<metrics::Target> metrics;   // of rank 0
  MetricsNames metrics_names = MetricsNames::railgauge;

  std::map<std::string, results::Option> in_force;  // by long name, for the result document
  std::vector<std::string> notes;  // what was accepted without being used, a sentence each
};

/// Adds a row for each. What `options` holds is the default; `tables` are the experiment's forms of
/// output, in words for the help, the first of which is the default.
void add_run_options(options::OptionTable& table, RunOptions& options,
                     const std::vector<std::string>& tables);

/// After parsing: names the soft devices, and checks what the options say together. Throws
/// std::invalid_argument.
void check_run_options(const options::OptionTable& table, RunOptions& options);

/// Throws std::invalid_argument if -J, --jsonl or --csv names the file of this option, too: one
/// would destroy the other. `path` may be empty.
void check_own_file(const RunOptions& run, const std::string& option, const std::string& path);

/// Variables called RAILGAUGE_... that are no option of some program and yet mean something: those
/// of the launchers and of the laboratory, and options of other programs of ours, for which one
/// environment serves as well.
[[nodiscard]] std::vector<std::string> variables_of_others();

}  // namespace railgauge::runner
