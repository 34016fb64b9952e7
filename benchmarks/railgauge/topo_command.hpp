#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "results/exit_code.hpp"
#include "topology/report.hpp"

namespace railgauge::benchmarks {

/// `railgauge topo`: this host, or recorded ones, as a table, a tree, JSON or a picture; their
/// rails, and where ranks belong. Adds its options to `app`, which has to outlive it.
class TopoCommand {
 public:
  explicit TopoCommand(CLI::App& app);

  [[nodiscard]] bool parsed() const { return command_->parsed(); }

  /// After `app` has parsed. verdict_failed if hosts do not fit together. Throws
  /// std::invalid_argument for what cannot be, std::runtime_error when a file cannot be written or
  /// hwloc cannot look at this machine.
  [[nodiscard]] results::ExitCode run(std::ostream& out) const;

 private:
  void add_rails(CLI::App& command);
  void add_ranks(CLI::App& command);
  void check_options() const;
  void record(std::ostream& out) const;
  [[nodiscard]] std::vector<topology::HostMap> hosts() const;
  [[nodiscard]] topology::NicWishes wishes(const std::vector<topology::HostMap>& hosts) const;
  std::string take_nccl_ports(topology::NicWishes& wanted) const;
  void place_ranks(topology::HostReport& host) const;
  void write_files(const topology::Report& report, std::ostream& out) const;

  CLI::App* command_;
  std::vector<std::string> from_;
  bool json_ = false;
  bool tree_ = false;
  std::string svg_file_;
  std::string record_file_;
  std::string include_;
  std::string exclude_;
  std::string fabric_;
  std::string rail_map_;
  int ranks_ = 0;
  std::string placement_ = "rail";
  std::string rankfile_;
  bool overwrite_ = false;
};

}  // namespace railgauge::benchmarks
