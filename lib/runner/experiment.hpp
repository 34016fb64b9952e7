#pragma once

#include <memory>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "runner/options/run_options.hpp"

// lib/runner is the frame of every multi-rank test: options, session, output, progress, one way to
// end. It must not know what a test measures, nor how a queue pair works.

namespace railgauge::runner {

class Session;

/// What a test prints on rank 0's terminal: a table, a heat map, how much is left.
class Display {
 public:
  Display() = default;
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;
  virtual ~Display() = default;

  /// Everything above the first row.
  virtual void begin(const results::Document& document) = 0;
  /// The document's last row.
  virtual void row(const results::Document& document) = 0;
  /// Everything below the last row.
  virtual void end(const results::Document& document) = 0;
  /// Whether end() shows the findings; else the frame prints them on stderr.
  [[nodiscard]] virtual bool shows_findings() const { return false; }
  /// Removes what is only there for now, a progress line, before something else is printed.
  virtual void clear() {}
};

/// What a multi-rank test adds to the frame: options of its own, rows of its own, and a loop. The
/// frame supplies everything else: ranks, hosts and rails, placement, deadlines, abort, signals,
/// provenance, counters, files, exit status.
class Experiment {
 public:
  struct Description {
    std::string program;              // "all_reduce_perf"
    std::string about;                // one line for --help
    std::vector<std::string> tables;  // forms of --table besides "none"; the first is the default
    bool rails_have_to_match = true;  // else what does not match is a finding, not an end
    std::string exit_status_1;        // what it means here, for --help
    std::vector<manual::Example> examples{};
  };

  Experiment() = default;
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;
  virtual ~Experiment() = default;

  [[nodiscard]] virtual Description description() const = 0;

  /// Adds rows for its own options; may change defaults of `run` before the frame adds its rows.
  virtual void add_options(options::OptionTable& table, RunOptions& run) = 0;
  /// Checks what the options say together, before any device is touched. Throws
  /// std::invalid_argument.
  virtual void check_options(const options::OptionTable& table, const RunOptions& run) = 0;

  /// The kind of its result, without rows.
  [[nodiscard]] virtual results::Body body() const = 0;
  /// Collective, before a device is touched: reads files of its own. Throws RunFailure.
  virtual void prepare(Session& session) { (void)session; }
  /// Collective, once hosts and rails are known: settles what was left to the run.
  virtual void begin(Session& session) { (void)session; }
  /// Rank 0, after begin(): what it prints; may be null. With --table none stdout is left alone:
  /// the document goes there.
  [[nodiscard]] virtual std::unique_ptr<Display> display(Session& session) = 0;
  /// Whether it goes on with an earlier run, whose files it replaces: when it calls
  /// Session::take_over_files(), in run(), once it has found that it can go on.
  [[nodiscard]] virtual bool goes_on() const { return false; }
  /// Rank 0, whether the run ended well or not: the exit code and the reasons are known, and
  /// nothing but the document remains to be written.
  virtual void finish(const results::Document& document) { (void)document; }
  /// Collective: the loop. Calls session.report() with each row. Throws RunFailure, or whatever
  /// setting up throws.
  virtual void run(Session& session) = 0;
};

/// Runs an experiment from main's arguments to the exit status (results/exit_code.hpp): reads the
/// options before any device or other rank is touched, meets the other ranks, runs the loop, and
/// ends all ranks in one way whatever happens.
int run(Experiment& experiment, int argc, char** argv);

}  // namespace railgauge::runner
