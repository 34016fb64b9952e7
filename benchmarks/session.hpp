#pragma once

#include <memory>
#include <string>
#include <vector>

#include "benchmarks/options.hpp"
#include "benchmarks/world.hpp"
#include "results/document.hpp"
#include "results/table.hpp"
#include "results/writer.hpp"
#include "verbs/port.hpp"

namespace railgauge::benchmarks {

/// One run of one benchmark: who takes part, what has been measured, and its record. All ranks make
/// the same calls; rank 0 alone prints and writes.
class Session {
 public:
  /// Nothing yet but the record's first lines.
  Session(std::string program, std::vector<std::string> command_line, Options options,
          World& world);

  /// Collective: opens the result document, finds the rails, meets the other ranks, prints the
  /// table's head. Throws RunFailure or std::system_error.
  void open();

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] World& world() { return world_; }
  [[nodiscard]] transport::Rank ranks() const { return world_.ranks(); }
  [[nodiscard]] const std::vector<verbs::Port>& rails() const { return rails_; }
  /// As many ranks on every host, numbered host after host; else per_host is 0.
  [[nodiscard]] schedule::Team team() const;
  [[nodiscard]] bool is_on_this_host(transport::Rank rank) const {
    return document_.ranks[rank].host == document_.ranks[world_.rank()].host;
  }

  /// Collective: one row of the table, and a document that holds all rows so far.
  void report(const results::Row& row);
  /// Collective: what this rank found wrong in its data; empty for nothing.
  void report_wrong_data(const std::string& what);

  /// Collective: the table's foot and the document's last form. Returns the exit code.
  results::ExitCode close();

  /// Ends all ranks because of `failure`, with the record of what has been measured. Returns only
  /// if there are no other ranks: the exit code.
  results::ExitCode fail(const RunFailure& failure);

 private:
  void check_ranks() const;
  /// Whether any rail of any rank is of a software device.
  [[nodiscard]] bool on_software() const;
  void settle_window();
  void write();
  void end_with(results::ExitCode code, std::vector<std::string> reasons);

  std::string program_;
  Options options_;
  World& world_;
  std::vector<verbs::Port> rails_;
  results::Document document_;
  results::Table table_;
  std::unique_ptr<results::Writer> writer_;  // rank 0, if a document is wanted
};

}  // namespace railgauge::benchmarks
