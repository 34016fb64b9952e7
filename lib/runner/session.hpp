#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cluster/fabric.hpp"
#include "cluster/local_host.hpp"
#include "cluster/port_counters.hpp"
#include "cluster/rank_placement.hpp"
#include "finding/outcome.hpp"
#include "job/communicator.hpp"
#include "results/document.hpp"
#include "runner/experiment.hpp"
#include "runner/output.hpp"
#include "runner/progress.hpp"
#include "topology/placement.hpp"

namespace railgauge::runner {

class Gpus;

/// The first lines of the record: what is known before the ranks have met.
[[nodiscard]] results::Document begun_record(const Experiment& experiment,
                                             std::vector<std::string> command_line,
                                             const RunOptions& options);

/// A warning that something was not tested, of the whole run or of a place.
[[nodiscard]] finding::Finding not_tested(const std::string& check, const std::string& why,
                                          const finding::Location& where = {});

/// One run of one experiment: who takes part, what has been measured, and its record. All ranks
/// make the same calls; rank 0 alone prints and writes.
class Session {
 public:
  /// `record` is begun_record(). The experiment and the communicator have to outlive it.
  Session(Experiment& experiment, results::Document record, RunOptions options,
          job::Communicator& communicator);

  /// Collective: opens the files of results, finds the rails, meets the other ranks, prints what
  /// stands above the first row. Throws job::RunFailure or std::system_error.
  void open();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const RunOptions& options() const { return options_; }
  [[nodiscard]] job::Communicator& communicator() { return communicator_; }
  [[nodiscard]] transport::Rank rank() const { return communicator_.rank(); }
  [[nodiscard]] transport::Rank ranks() const { return communicator_.ranks(); }
  /// This rank's ports, in the order of their rails; all ranks have as many if the experiment wants
  /// rails that match.
  [[nodiscard]] const std::vector<verbs::Port>& rails() const { return host_.ports; }
  /// Every rank with its host and rails. The rest of the record so far.
  [[nodiscard]] const results::Document& document() const { return document_; }
  [[nodiscard]] const std::string& host_of(transport::Rank rank) const {
    return document_.ranks[rank].host;
  }
  [[nodiscard]] bool is_on_this_host(transport::Rank rank) const {
    return host_of(rank) == host_of(communicator_.rank());
  }
  /// Whether this rank shares a processor with another rank of its host: there are too few.
  [[nodiscard]] bool shares_processors() const { return processors_.shared; }
  /// Collective: whether any rank does.
  [[nodiscard]] bool any_shares_processors() {
    return communicator_.sum(processors_.shared ? 1 : 0,
                             "the check for ranks that share processors") > 0;
  }
  /// How many cores this rank has to itself.
  [[nodiscard]] std::size_t own_cores() const { return processors_.cores; }
  /// This rank's host, with what of it takes no part.
  [[nodiscard]] const topology::HostMap& host_map() const { return host_.map; }
  /// Where this rank runs.
  [[nodiscard]] const topology::CpuSet& own_cpus() const {
    return placement_.cpus.empty() ? host_.map.allowed : placement_.cpus;
  }
  /// The cpus near one of this rank's ports, by the order of rails(); none: not known.
  [[nodiscard]] topology::CpuSet cpus_near(std::size_t port) const;
  /// Collective, for the record: what the memory of each host carries. Takes 0.2 s.
  void measure_memory();
  /// Whether any rail of any rank is a software device.
  [[nodiscard]] bool on_software() const { return on_software_; }
  /// Of the row that is being measured.
  [[nodiscard]] IterationCount& iterations() { return iterations_; }
  /// The GPUs of this rank.
  [[nodiscard]] Gpus& gpus() { return *gpus_; }
  /// Collective, for the record: those in whose memory this rank has data.
  void record_gpus(const std::vector<results::RankGpu>& own);
  /// For the record: the value that an option left to the run was given.
  void settle_option(const std::string& name, std::int64_t value);

  /// The experiment's part of the record: a kind of results::Body. On every rank.
  template <class Kind>
  [[nodiscard]] Kind& body() {
    return std::get<Kind>(document_.body);
  }
  /// From here on, port_events() counts. Not collective.
  void watch_ports() { port_watch_->restart(); }
  /// Collective: what all ports counted since then.
  [[nodiscard]] std::vector<results::PortEvents> port_events() { return port_watch_->next(); }

  /// Collective: one more row. Files and terminal have it when this returns.
  template <class Kind, class Row>
  void report(Row row) {
    body<Kind>().rows.push_back(std::move(row));
    if (output_) output_->row(document_);
  }

  /// Files are made, or replaced. An experiment that goes on with an earlier run calls it once the
  /// record has what that one measured: until then they are as they were, whatever ends the run.
  void take_over_files() {
    if (output_) output_->begin_files(document_);
  }
  /// The document as it is now, for experiments whose rows change until the end.
  void write() {
    if (output_) output_->write(document_);
  }
  /// With --metrics, of rank 0; else null. The frame shows the run and its rows; what else an
  /// experiment knows it shows by itself.
  [[nodiscard]] RunExporter* metrics() { return output_ ? output_->metrics() : nullptr; }

  /// Says so on stderr, and in the record, once: what does not end a run. On every rank alike.
  void warn(const std::vector<std::string>& warnings);
  /// The same of what is only to be known.
  void note(std::vector<std::string> notes);

  /// Collective: whether ranks, whose buffers on this rank these are, are where they were placed.
  void verify_placement(std::span<const std::span<const std::byte>> buffers);
  /// Collective: what this rank found wrong in its data; empty for nothing.
  void report_wrong_data(const std::string& what);
  /// What the run says of the fabric. Rank 0 keeps it; with coverage() it decides the outcome.
  void report(finding::Finding finding) { document_.report.findings.push_back(std::move(finding)); }
  void report(std::vector<finding::Finding> findings) {
    for (finding::Finding& one : findings) report(std::move(one));
  }
  /// The same, with coverage.
  void report(finding::Report found) {
    report(std::move(found.findings));
    for (finding::Coverage& one : found.coverage) cover(std::move(one));
  }
  /// In place of what the same checks reported before: of a test that is watched while it runs.
  void report_again(finding::Report report) { replace_checks(document_.report, std::move(report)); }
  /// Those so far.
  [[nodiscard]] std::vector<finding::Finding>& findings() { return document_.report.findings; }
  /// How much of its plan a check tested. A run that says nothing of it does not pass.
  void cover(finding::Coverage coverage) {
    document_.report.coverage.push_back(std::move(coverage));
  }

  /// Of that check, to be counted as the run goes on: a document that is written meanwhile has it.
  [[nodiscard]] finding::Coverage& coverage(const std::string& check);

  /// On rank 0: what of a run that is over could not be written, which takes nothing from the rest:
  /// exit status 5.
  void report_unwritten(std::string what) { unwritten_ = std::move(what); }

  /// Collective: ends the table and the record. Returns the exit status: on rank 0 the run's, which
  /// launchers pass on. Where several processes end with one, Open MPI takes seconds longer.
  results::ExitCode close();

  /// Ends all ranks because of `failure`, with the record of what has been measured. Returns, with
  /// the exit status, only if there are no other ranks.
  results::ExitCode fail(const job::RunFailure& failure);

 private:
  void check_ranks() const;
  void open_output();
  void join_cluster();
  [[nodiscard]] std::pair<results::ExitCode, std::vector<std::string>> verdict() const;
  [[nodiscard]] cluster::Fabric gather_fabric(cluster::Mismatch mismatch);
  void print_findings();
  void print_outcome(finding::Outcome found) const;
  void draft(const job::RunFailure& failure);
  void print_new(std::vector<std::string> lines);
  std::vector<std::string> tell(const std::vector<results::Failure>& failures);
  void end_with(results::ExitCode code, std::vector<std::string> reasons);

  Experiment& experiment_;
  IterationCount iterations_;  // outlives the output
  std::string program_;
  RunOptions options_;
  job::Communicator& communicator_;
  cluster::LocalHost host_;
  topology::Placement placement_;  // of this rank
  cluster::OwnProcessors processors_;
  bool on_software_ = false;  // asked in loops that poll
  std::string unwritten_;
  std::set<std::string> printed_;  // lines about findings and failures, on rank 0
  results::Document document_;
  std::optional<cluster::PortWatch> port_watch_;
  std::unique_ptr<Output> output_;  // rank 0
  std::unique_ptr<Gpus> gpus_;
};

}  // namespace railgauge::runner
