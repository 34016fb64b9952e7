#include "runner/session.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>

#include "cluster/provenance.hpp"
#include "cluster/rank_placement.hpp"
#include "job/consistency_check.hpp"
#include "job/start_up.hpp"
#include "results/version.hpp"
#include "runner/failure_summary.hpp"
#include "runner/lost_ranks.hpp"
#include "runner/port_lines.hpp"

namespace railgauge::runner {
namespace {

using results::ExitCode;
using results::Failure;

// How long rank 0 waits for the other ranks' reports after a failure.
constexpr std::chrono::milliseconds kReportLimit{3000};
// After a signal the launcher kills soon.
constexpr std::chrono::milliseconds kReportLimitAfterSignal{300};

constexpr std::size_t kMostFindings = 40;  // on the terminal; the document has all

void print(const std::string& program, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::cerr << program << ": " << line << "\n";
  std::cerr << std::flush;
}

/// Those that reported, behind those that could not.
std::vector<Failure> with_lost_ranks(const std::vector<results::Rank>& ranks,
                                     job::Communicator& communicator,
                                     std::vector<Failure> reports) {
  std::vector<Failure> all =
      lost_ranks(ranks, communicator.host(), reports, job::caught_signal() != 0);
  std::ranges::move(reports, std::back_inserter(all));
  return all;
}

/// When a rank is lost, the launcher ends the others by a signal. A rank that is only stopped makes
/// them wait until their time is up.
bool is_consequence_of_loss(const Failure& failure) {
  return failure.kind == Failure::Kind::interrupted || failure.kind == Failure::Kind::stopped;
}

ExitCode code_of(const std::vector<Failure>& failures) {
  const auto cause = std::ranges::find_if(
      failures, [](const Failure& one) { return one.kind != Failure::Kind::lost; });
  const bool lost = cause != failures.begin();
  if (cause == failures.end() || (lost && is_consequence_of_loss(*cause))) {
    return job::exit_code_of(Failure::Kind::lost);
  }
  return job::exit_code_of(cause->kind);
}

/// Rank 0 keeps the record. If it is gone, the next of its host says so, and nobody else.
void tell_if_leader_is_lost(const std::string& program, const std::vector<results::Rank>& ranks,
                            job::Communicator& communicator) {
  if (ranks.empty() || ranks[communicator.rank()].local_rank != 1) return;
  const std::vector<Failure> lost = lost_ranks({ranks[0]}, communicator.host(), {}, true);
  if (lost.empty()) return;
  std::cerr << program << ": " << runner::in_words(lost[0])
            << "; the result document, if any, is as it was last written, with the status running"
            << std::endl;
}

bool is_cause(const Failure& failure, const std::vector<Failure>& all) {
  if (all.front().kind == Failure::Kind::lost) return !is_consequence_of_loss(failure);
  return failure.kind != Failure::Kind::stopped;
}

/// Whether what ports counted may tell why.
bool is_of_fabric(const Failure& failure) {
  return failure.kind == Failure::Kind::transport || failure.kind == Failure::Kind::time_out;
}

void print_findings(const std::string& program, const std::vector<std::string>& findings) {
  const std::size_t shown = std::min(findings.size(), kMostFindings);
  for (std::size_t i = 0; i < shown; ++i) std::cerr << program << ": " << findings[i] << "\n";
  if (shown < findings.size()) {
    std::cerr << program << ": and " << findings.size() - shown
              << " more, listed in the document (-J)\n";
  }
  std::cerr << std::flush;
}

}  // namespace

results::Document begun_record(const Experiment& experiment, std::vector<std::string> command_line,
                               const RunOptions& options) {
  results::Document record;
  record.tool = {.version = results::kVersion, .commit = results::kCommit};
  record.body = experiment.body();
  record.start = std::chrono::system_clock::now();
  record.command_line = std::move(command_line);
  record.options = options.in_force;
  record.environment = cluster::relevant_environment();
  return record;
}

Session::Session(Experiment& experiment, results::Document record, RunOptions options,
                 job::Communicator& communicator)
    : experiment_(experiment),
      program_(experiment.description().program),
      options_(std::move(options)),
      communicator_(communicator),
      document_(std::move(record)) {}

void Session::open() {
  check_ranks();
  job::check_consistency(communicator_, std::string(results::kVersion) + " " + results::kCommit,
                         options_.in_force);
  options_.overwrite = options_.overwrite || experiment_.goes_on();
  if (communicator_.is_leader()) open_output();
  std::vector<std::string> notes = options_.notes;
  for (std::string& note : notes) note.insert(0, "note: ");
  warn(std::move(notes));
  experiment_.prepare(*this);
  communicator_.barrier();  // nobody touches a device for a result that cannot be kept
  join_cluster();
  experiment_.begin(*this);
  document_.counters = cluster::read_counters(communicator_, document_.ranks);
  port_watch_.emplace(communicator_, document_.ranks);
  if (!experiment_.goes_on()) take_over_files();
  if (output_) output_->begin(document_, experiment_.display(*this));
}

void Session::open_output() {
  using Earlier = Output::Earlier;
  output_ =
      std::make_unique<Output>(options_, experiment_.goes_on() ? Earlier::kept : Earlier::replaced);
  const RunExporter* exporter = output_->metrics();
  if (exporter == nullptr || !options_.metrics->is_http()) return;
  std::cerr << program_ << ": metrics at " << exporter->place() << std::endl;
}

void Session::check_ranks() const {
  if (communicator_.ranks() > 1 || options_.allow_single) return;
  throw job::RunFailure(
      Failure::Kind::usage,
      "at least two ranks are required. Start it with " + job::launcher("mpirun") +
          " -np RANKS; if you did, mpirun and this binary belong to different MPIs. "
          "--allow-single allows a single-rank run");
}

void Session::join_cluster() {
  host_ = cluster::look_at_local_host(options_.device);
  const auto& exclude = options_.device.nics.exclude;
  if (exclude && communicator_.sum(host_.excluded_some ? 1 : 0, "the check of --exclude") == 0) {
    throw job::RunFailure(Failure::Kind::usage,
                          "--exclude " + exclude->text() + " matches no port of any host");
  }
  using Mismatch = cluster::Mismatch;
  const bool strict = experiment_.description().rails_have_to_match;
  cluster::Fabric fabric =
      cluster::gather_fabric(communicator_, communicator_.host(), host_, options_.device,
                             strict ? Mismatch::fail : Mismatch::report);
  document_.ranks = std::move(fabric.ranks);
  std::vector<std::string> hosts;
  for (const results::Rank& rank : document_.ranks) hosts.push_back(rank.host);
  communicator_.know_hosts(std::move(hosts));
  document_.rail_rule = std::move(fabric.rail_rule);
  document_.lost_planes = std::move(fabric.lost_planes);
  document_.hosts = cluster::describe_hosts(communicator_, document_.ranks);
  mismatches_ = std::move(fabric.mismatches);
  cluster::check_nodes(document_.ranks, options_.nodes, options_.ranks_per_node);
  placement_ =
      cluster::place_ranks(communicator_, host_, options_.device.placement, document_.ranks);
  shares_processors_ = cluster::share_processors(communicator_, own_cpus(), document_.ranks);
  own_cores_ = cluster::own_cores(communicator_, own_cpus(), host_.map.cores, document_.ranks);
  if (document_.ranks[rank()].local_rank == 0 && !host_.left_out.empty()) {
    std::cerr << program_ << ": " << communicator_.host() << ":" << host_.left_out << std::endl;
  }
  if (!options_.device.note.empty()) warn({options_.device.note});
  warn(std::move(fabric.warnings));
}

void Session::warn(std::vector<std::string> warnings) {
  if (communicator_.is_leader()) {
    for (const std::string& one : warnings) std::cerr << program_ << ": " << one << std::endl;
  }
  std::ranges::move(warnings, std::back_inserter(document_.warnings));
}

topology::CpuSet Session::cpus_near(std::size_t port) const {
  const topology::RdmaDevice* const device =
      topology::find_device(host_.map, host_.ports.at(port).device);
  return device == nullptr ? topology::CpuSet{} : device->locality.cpus;
}

bool Session::on_software() const {
  for (const results::Rank& rank : document_.ranks) {
    for (const results::RankRail& rail : rank.rails) {
      if (rail.kind != results::DeviceKind::hardware) return true;
    }
  }
  return false;
}

void Session::settle_option(const std::string& name, std::int64_t value) {
  const auto entry = document_.options.find(name);
  if (entry != document_.options.end()) entry->second.value = value;
}

void Session::verify_placement(std::span<const std::span<const std::byte>> buffers) {
  cluster::verify_placement(communicator_, placement_, buffers, document_.ranks);
}

void Session::report_wrong_data(const std::string& what) {
  const auto texts = communicator_.all_gather_text(what);
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    if (texts[rank].empty()) continue;
    document_.failures.push_back({static_cast<int>(rank), document_.ranks[rank].host,
                                  Failure::Kind::wrong_data, texts[rank]});
  }
}

std::pair<ExitCode, std::vector<std::string>> Session::verdict() const {
  if (!document_.failures.empty()) {
    return {ExitCode::wrong_data, {runner::in_words(document_.failures.front())}};
  }
  if (!unwritten_.empty()) {
    std::vector<std::string> reasons{unwritten_};
    std::ranges::copy(findings_, std::back_inserter(reasons));
    return {ExitCode::environment, std::move(reasons)};
  }
  return {findings_.empty() ? ExitCode::ok : ExitCode::verdict_failed, findings_};
}

ExitCode Session::close() {
  const auto after = cluster::read_counters(communicator_, document_.ranks);
  for (std::size_t i = 0; i < after.size(); ++i) document_.counters[i].after = after[i].before;
  const auto [code, reasons] = verdict();
  if (output_) {
    output_->end(document_);
    print(program_, failure_lines(document_.failures, document_.ranks.size()));
    print_findings(program_, findings_);
    if (!unwritten_.empty()) print(program_, {unwritten_});
    end_with(code, reasons);
  }
  communicator_.barrier();
  return communicator_.is_leader() ? code : ExitCode::ok;
}

ExitCode Session::fail(const job::RunFailure& failure) {
  const auto last_words = [this] {
    return port_watch_ ? port_watch_->last_words(document_.counters) : "";
  };
  if (!communicator_.is_leader()) {
    tell_if_leader_is_lost(program_, document_.ranks, communicator_);
    communicator_.abort_channel().report(failure, last_words);
  }
  const bool signal = failure.kind == Failure::Kind::interrupted;
  const auto reports = communicator_.abort_channel().collect_reports(
      failure, signal ? kReportLimitAfterSignal : kReportLimit);
  cluster::add_last_words(last_words(), document_.counters, document_.events);
  for (const auto& [rank, words] : reports.enclosures) {
    cluster::add_last_words(words, document_.counters, document_.events);
  }
  const auto failures = with_lost_ranks(document_.ranks, communicator_, reports.failures);
  const ExitCode code = code_of(failures);
  document_.failures.insert(document_.failures.end(), failures.begin(), failures.end());
  try {
    end_with(code, tell(failures));
  } catch (const std::exception& error) {
    std::cerr << program_ << ": " << error.what() << "\n";
  }
  output_.reset();  // which ends no more by itself
  if (communicator_.ranks() > 1) job::Communicator::abort(static_cast<int>(code));
  return code;
}

/// Prints why the run failed. Returns the reasons for the record.
std::vector<std::string> Session::tell(const std::vector<Failure>& failures) {
  if (output_) output_->clear();
  std::cout << std::flush;
  std::vector<std::string> reasons = causes_of(failures);
  print(program_, reasons);
  print(program_, failure_lines(failures, static_cast<std::size_t>(communicator_.ranks())));
  for (const Failure& one : failures) {
    if (is_cause(one, failures)) reasons.push_back(runner::in_words(one));
  }
  if (std::ranges::none_of(failures, is_of_fabric)) return reasons;
  std::vector<std::string> ports = port_lines(document_.events);
  print(program_, ports);
  std::ranges::move(ports, std::back_inserter(reasons));
  return reasons;
}

void Session::end_with(ExitCode code, std::vector<std::string> reasons) {
  document_.exit_code = code;
  document_.reasons = std::move(reasons);
  document_.end = std::chrono::system_clock::now();
  if (!output_) return;
  experiment_.finish(document_);
  output_->write(document_);
}

}  // namespace railgauge::runner
