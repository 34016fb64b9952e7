#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "job/communicator.hpp"
#include "measure/statistics.hpp"
#include "results/document.hpp"
#include "runner/options/options.hpp"
#include "runner/output.hpp"
#include "runner/traffic.hpp"
#include "schedule/schedule.hpp"
#include "topology/placement.hpp"
#include "verbs/port.hpp"
#include "verdict/nic_inventory.hpp"

namespace railgauge::runner {

/// One run of one benchmark: who takes part, what has been measured, and its record. All ranks make
/// the same calls; rank 0 alone prints and writes.
class Session {
 public:
  /// Nothing yet but the record's first lines.
  Session(Program program, std::vector<std::string> command_line, Options options,
          job::Communicator& communicator);

  /// Collective: opens the files of results, finds the rails, meets the other ranks, prints the
  /// table's head. Throws job::RunFailure or std::system_error.
  void open();

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] job::Communicator& communicator() { return communicator_; }
  [[nodiscard]] const job::Communicator& communicator() const { return communicator_; }
  [[nodiscard]] transport::Rank ranks() const { return communicator_.ranks(); }
  [[nodiscard]] const std::vector<verbs::Port>& rails() const { return rails_; }
  /// What all-to-all-v moves.
  [[nodiscard]] const Traffic& traffic() const { return traffic_; }
  /// The points of the sweep, sizes and algorithms aside. Throws job::RunFailure (usage) for a rail
  /// that is not there.
  [[nodiscard]] std::vector<Setting> settings() const;
  /// As many ranks on every host, numbered host after host; else per_host is 0.
  [[nodiscard]] schedule::Team team(int root) const;
  [[nodiscard]] const std::string& host_of(transport::Rank rank) const {
    return document_.ranks[rank].host;
  }
  [[nodiscard]] bool is_on_this_host(transport::Rank rank) const {
    return host_of(rank) == host_of(communicator_.rank());
  }
  /// Those that a rank is placed beside.
  [[nodiscard]] const RailSet& own_rails(transport::Rank rank) const { return own_rails_[rank]; }
  /// The share of line rate that a bus bandwidth is (verdict/line_rate.hpp); empty if the rails'
  /// speed is not known.
  [[nodiscard]] std::optional<double> line_rate_percent(const Setting& setting,
                                                        double busbw_gigabytes_per_second) const;
  [[nodiscard]] results::Straggler straggler(const measure::Straggler& found) const;

  /// Collective: one row of the table, and documents that hold all rows so far.
  void report(const results::Row& row);
  /// Collective: whether ranks, whose buffers here are these, are where they were put.
  void verify_placement(std::span<const std::span<const std::byte>> buffers);
  /// Collective: what this rank found wrong in its data; empty for nothing.
  void report_wrong_data(const std::string& what);

  /// Collective: the table's foot and the document's last form. Returns the exit code.
  results::ExitCode close();

  /// Ends all ranks because of `failure`, with the record of what has been measured. Returns only
  /// if there are no other ranks: the exit code.
  results::ExitCode fail(const job::RunFailure& failure);

 private:
  void check_ranks() const;
  void meet_others();
  void warn(std::vector<std::string> warnings);
  void read_traffic();
  /// Whether any rail of any rank is of a software device.
  [[nodiscard]] bool on_software() const;
  void settle_window();
  void end_with(results::ExitCode code, std::vector<std::string> reasons);

  Program program_;
  Options options_;
  job::Communicator& communicator_;
  std::vector<verbs::Port> rails_;
  topology::Placement place_;       // of this rank
  std::vector<RailSet> own_rails_;  // [rank]
  Traffic traffic_;
  results::Document document_;
  verdict::NicInventory nic_inventory_;  // of document_.ranks
  std::unique_ptr<Output> output_;       // rank 0
};

}  // namespace railgauge::runner
