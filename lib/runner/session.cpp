#include "runner/session.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>

#include "cluster/provenance.hpp"
#include "finding/ranking.hpp"
#include "job/consistency_check.hpp"
#include "job/start_up.hpp"
#include "measure/copy_rate.hpp"
#include "results/codec.hpp"
#include "results/version.hpp"
#include "runner/failure_findings.hpp"
#include "runner/failure_summary.hpp"
#include "runner/gpus.hpp"
#include "topology/hwloc_map.hpp"

namespace railgauge::runner {
namespace {

using results::ExitCode;
using results::Failure;

// How long rank 0 waits for the other ranks' reports after a failure.
constexpr std::chrono::milliseconds kReportLimit{3000};
// After a signal the launcher kills soon: Open MPI's after a second.
constexpr std::chrono::milliseconds kReportLimitAfterSignal{300};
constexpr std::chrono::milliseconds kReportLimitAfterLauncher{600};

constexpr std::size_t kMostFindings = 40;  // on the terminal; the document has all

void print(const std::string& program, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::cerr << program << ": " << line << "\n";
  std::cerr << std::flush;
}

/// Those that reported, behind those that could not.
std::vector<Failure> with_lost_ranks(const std::vector<results::Rank>& ranks,
                                     job::Communicator& communicator,
                                     std::vector<Failure> reports) {
  std::vector<Failure> all = lost_ranks(ranks, communicator.host(), reports, job::ender());
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
  const std::vector<Failure> lost =
      lost_ranks({ranks[0]}, communicator.host(), {}, job::Ender::user);
  if (lost.empty()) return;
  std::cerr << program << ": " << runner::in_words(lost[0])
            << "; the result document, if any, is as it was last written, with the status running"
            << std::endl;
}

/// Of a rank that nobody can name: it has died, which ended the others.
void tell_death(std::vector<Failure>& failures, const finding::Finding& death) {
  for (Failure& one : failures) {
    if (one.kind == Failure::Kind::interrupted) one.kind = Failure::Kind::stopped;
  }
  failures.front().findings.push_back(death);
}

std::chrono::milliseconds report_limit(job::Ender ender) {
  switch (ender) {
    case job::Ender::nobody: return kReportLimit;
    case job::Ender::user: return kReportLimitAfterSignal;
    case job::Ender::launcher:
    case job::Ender::either: break;
  }
  return kReportLimitAfterLauncher;
}

bool is_cause(const Failure& failure, const std::vector<Failure>& all) {
  if (all.front().kind == Failure::Kind::lost) return !is_consequence_of_loss(failure);
  return failure.kind != Failure::Kind::stopped;
}

/// Whether what ports counted may tell why.
bool is_of_fabric(const Failure& failure) {
  return failure.kind == Failure::Kind::transport || failure.kind == Failure::Kind::time_out;
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

finding::Finding not_tested(const std::string& check, const std::string& why,
                            const finding::Location& where) {
  finding::Finding found = finding::found(check, finding::Cause::not_tested, where);
  found.severity = finding::Severity::warning;
  found.certainty = finding::Certainty::confirmed;
  found.detail = why;
  return found;
}

Session::Session(Experiment& experiment, results::Document record, RunOptions options,
                 job::Communicator& communicator)
    : experiment_(experiment),
      program_(experiment.description().program),
      options_(std::move(options)),
      communicator_(communicator),
      document_(std::move(record)),
      gpus_(std::make_unique<Gpus>(*this)) {}

Session::~Session() = default;

void Session::open() {
  check_ranks();
  job::check_consistency(communicator_, results::version_text(), options_.in_force);
  options_.overwrite = options_.overwrite || experiment_.goes_on();
  if (communicator_.is_leader()) open_output();
  note(options_.notes);
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
  job::refuse_use("at least two ranks are required. Start it with " + job::launcher("mpirun") +
                  " -np RANKS; if you did, mpirun and this binary belong to different MPIs. "
                  "--allow-single allows a single-rank run");
}

void Session::join_cluster() {
  host_ = cluster::look_at_local_host(
      options_.device,
      cluster::hwloc_of_host(communicator_, communicator_.host(), topology::hwloc_xml_here));
  const auto& exclude = options_.device.nics.exclude;
  if (exclude && communicator_.sum(host_.excluded_some ? 1 : 0, "the check of --exclude") == 0) {
    job::refuse_use("--exclude " + exclude->text() + " matches no port of any host");
  }
  using cluster::Mismatch;
  const bool strict = experiment_.description().rails_have_to_match;
  cluster::Fabric fabric = gather_fabric(strict ? Mismatch::fail : Mismatch::report);
  document_.ranks = std::move(fabric.ranks);
  on_software_ = results::on_software(document_.ranks);
  std::vector<std::string> hosts;
  for (const results::Rank& rank : document_.ranks) hosts.push_back(rank.host);
  communicator_.know_hosts(std::move(hosts));
  document_.rail_rule = std::move(fabric.rail_rule);
  document_.hosts = cluster::describe_hosts(communicator_, document_.ranks);
  cluster::check_nodes(document_.ranks, options_.nodes, options_.ranks_per_node);
  placement_ =
      cluster::place_ranks(communicator_, host_, options_.device.placement, document_.ranks);
  processors_ =
      cluster::own_processors(communicator_, own_cpus(), host_.map.cores, document_.ranks);
  if (document_.ranks[rank()].local_rank == 0 && !host_.left_out.empty()) {
    std::cerr << program_ << ": " << communicator_.host() << ":" << host_.left_out << std::endl;
  }
  if (!options_.device.note.empty()) warn({options_.device.note});
  report(std::move(fabric.findings));
  if (output_ && !output_->shows_findings()) print_findings();  // before they cost a run
}

cluster::Fabric Session::gather_fabric(cluster::Mismatch mismatch) {
  try {
    return cluster::gather_fabric(communicator_, communicator_.host(), host_, options_.device,
                                  mismatch);
  } catch (const cluster::MismatchedRails& failure) {
    report(failure.findings());
    throw;
  }
}

void Session::warn(const std::vector<std::string>& warnings) {
  for (const std::string& one : warnings) {
    if (std::ranges::count(document_.warnings, one) > 0) continue;
    if (communicator_.is_leader()) std::cerr << program_ << ": " << one << std::endl;
    document_.warnings.push_back(one);
  }
}

void Session::note(std::vector<std::string> notes) {
  for (std::string& note : notes) note.insert(0, "note: ");
  warn(notes);
}

topology::CpuSet Session::cpus_near(std::size_t port) const {
  const topology::RdmaDevice* const device =
      topology::find_device(host_.map, host_.ports.at(port).device);
  return device == nullptr ? topology::CpuSet{} : device->locality.cpus;
}

void Session::measure_memory() {
  using namespace std::chrono_literals;
  constexpr std::size_t kOfHost = std::size_t{4} << 30;  // bytes: more than caches keep
  constexpr std::size_t kOfThread = std::size_t{64} << 20;
  const auto threads = static_cast<unsigned>(std::max<std::size_t>(1, own_cores()));
  const auto on_host = static_cast<std::size_t>(std::ranges::count_if(
      document_.ranks, [&](const results::Rank& one) { return one.host == host_of(rank()); }));
  const std::size_t bytes = std::min(kOfThread, kOfHost / (2 * std::size_t{threads} * on_host));
  communicator_.barrier();  // all ranks of a host at the same time
  const std::vector<double> rates =
      communicator_.all_gather(measure::copy_gigabytes_per_second(threads, bytes, 100ms));
  for (results::Host& host : document_.hosts) {
    host.memory_gigabytes_per_second = 0;
    for (std::size_t i = 0; i < rates.size(); ++i)
      if (document_.ranks[i].host == host.name) *host.memory_gigabytes_per_second += rates[i];
  }
}

void Session::settle_option(const std::string& name, std::int64_t value) {
  const auto entry = document_.options.find(name);
  if (entry != document_.options.end()) entry->second.value = value;
}

void Session::verify_placement(std::span<const std::span<const std::byte>> buffers) {
  cluster::verify_placement(communicator_, placement_, buffers, document_.ranks);
}

void Session::record_gpus(const std::vector<results::RankGpu>& own) {
  const auto all = communicator_.all_gather_text(results::encode(own).dump());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    results::decode(results::Json::parse(all[rank]), document_.ranks[rank].gpus.emplace());
  }
}

void Session::report_wrong_data(const std::string& what) {
  const auto texts = communicator_.all_gather_text(what);
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    if (texts[rank].empty()) continue;
    document_.failures.push_back({static_cast<int>(rank), document_.ranks[rank].host,
                                  Failure::Kind::wrong_data, texts[rank]});
  }
}

finding::Coverage& Session::coverage(const std::string& check) {
  auto& all = document_.report.coverage;
  const auto known = std::ranges::find(all, check, &finding::Coverage::check);
  return known == all.end() ? all.emplace_back(finding::Coverage{.check = check}) : *known;
}

std::pair<ExitCode, std::vector<std::string>> Session::verdict() const {
  if (!document_.failures.empty()) {
    return {ExitCode::wrong_data, {runner::in_words(document_.failures.front())}};
  }
  if (!unwritten_.empty()) {
    std::vector<std::string> reasons{unwritten_};
    std::ranges::move(finding::reasons(document_.report), std::back_inserter(reasons));
    return {ExitCode::environment, std::move(reasons)};
  }
  const bool pass = outcome(document_.report) == finding::Outcome::pass;
  return {pass ? ExitCode::ok : ExitCode::verdict_failed, finding::reasons(document_.report)};
}

/// Those that were not printed before; causes first.
void Session::print_findings() {
  std::vector<std::string> lines;
  for (const auto& group : grouped(finding::ranked(document_.report.findings))) {
    std::string line = std::string(word(group.first.severity)) + ": " + sentence(group);
    if (!printed_.contains(line)) lines.push_back(std::move(line));
  }
  if (lines.size() > kMostFindings) {
    const std::size_t more = lines.size() - kMostFindings;
    lines.resize(kMostFindings);
    lines.push_back(std::to_string(more) + " more findings are in the document (-J)");
  }
  print_new(std::move(lines));
}

/// Each once.
void Session::print_new(std::vector<std::string> lines) {
  std::erase_if(lines, [this](const std::string& line) { return !printed_.insert(line).second; });
  print(program_, lines);
}

/// Why the outcome is not PASS.
void Session::print_outcome(finding::Outcome found) const {
  if (found == finding::Outcome::pass) return;
  print(program_, {std::string(word(found)) + ": " + finding::in_short(document_.report)});
}

ExitCode Session::close() {
  const auto after = cluster::read_counters(communicator_, document_.ranks);
  for (std::size_t i = 0; i < after.size(); ++i) document_.counters[i].after = after[i].before;
  const auto is_wrong = [](const auto& one) { return one.cause == finding::Cause::wrong_data; };
  if (std::ranges::none_of(findings(), is_wrong)) report(findings_of(document_.failures));
  const auto [code, reasons] = verdict();
  if (output_) {
    output_->end(document_);
    print(program_, failure_lines(document_.failures, document_.ranks.size()));
    std::cout << std::flush;  // the table comes first
    if (!output_->shows_findings()) print_findings();
    print_outcome(outcome(document_.report));
    if (!unwritten_.empty()) print(program_, {unwritten_});
    end_with(code, reasons);
  }
  communicator_.barrier();
  return communicator_.is_leader() ? code : ExitCode::ok;
}

ExitCode Session::fail(const job::RunFailure& failure) {
  const auto final_counters = [this] {
    return port_watch_ ? port_watch_->final_counters(document_.counters) : "";
  };
  if (!communicator_.is_leader()) {
    tell_if_leader_is_lost(program_, document_.ranks, communicator_);
    communicator_.abort_channel().report(failure, final_counters);
  }
  draft(failure);
  const auto reports =
      communicator_.abort_channel().collect_reports(failure, report_limit(job::ender()));
  cluster::add_final_counters(final_counters(), document_.counters, document_.events);
  for (const std::string& counters : reports.attachments)
    cluster::add_final_counters(counters, document_.counters, document_.events);
  auto failures = with_lost_ranks(document_.ranks, communicator_, reports.failures);
  const bool named = failures.front().kind == Failure::Kind::lost;
  if (const auto death = death_somewhere(job::ender());
      death && !named && failures.size() < communicator_.ranks())
    tell_death(failures, *death);
  const ExitCode code = code_of(failures);
  document_.failures.insert(document_.failures.end(), failures.begin(), failures.end());
  try {
    end_with(code, tell(failures));
    // What was refused, or lacks something, has said so.
    const finding::Outcome found = outcome_of(document_);
    if (code == ExitCode::interrupted || found == finding::Outcome::fail) print_outcome(found);
  } catch (const std::exception& error) {
    std::cerr << program_ << ": " << error.what() << "\n";
  }
  output_.reset();  // which ends no more by itself
  if (communicator_.ranks() > 1) job::Communicator::abort(static_cast<int>(code));
  return code;
}

/// What rank 0 knows by itself. Open MPI may end this process when it writes to one that is gone,
/// or block it with a message for mpirun, which ends it a second after its first signal.
void Session::draft(const job::RunFailure& failure) {
  if (!output_) return;
  results::Document document = document_;
  std::vector<Failure> own{{static_cast<int>(rank()), communicator_.host(), failure.kind,
                            failure.what(), failure.findings}};
  if (const auto death = death_somewhere(job::ender())) {
    tell_death(own, *death);
    document.reasons = {sentence(*death)};
  }
  document.reasons.push_back(runner::in_words(own.front()));
  document.exit_code = job::exit_code_of(own.front().kind);
  document.failures.push_back(own.front());
  const auto found = findings_of(document.failures);
  document.report.findings.insert(document.report.findings.begin(), found.begin(), found.end());
  document.end = std::chrono::system_clock::now();
  document.report = report_of(document);
  try {
    output_->draft(document);
  } catch (const std::exception&) {  // the last write says so
  }
  if (failure.kind != Failure::Kind::interrupted) return;
  output_->clear();
  print_new({runner::in_words(own.front())});
}

/// Prints why the run failed. Returns the reasons for the record.
std::vector<std::string> Session::tell(const std::vector<Failure>& failures) {
  if (output_) output_->clear();
  std::cout << std::flush;
  auto& findings = document_.report.findings;
  auto found = findings_of(failures);
  tell_directions(found, document_.events, document_.ranks);
  findings.insert(findings.begin(), found.begin(), found.end());
  print_findings();
  std::vector<std::string> reasons = finding::reasons(document_.report);
  print_new(failure_lines(failures, static_cast<std::size_t>(communicator_.ranks())));
  for (const Failure& one : failures) {
    const bool is_found = one.kind == Failure::Kind::lost;  // its finding has the same words
    if (is_cause(one, failures) && !is_found) reasons.push_back(runner::in_words(one));
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
  document_.report = report_of(document_);
  if (!output_) return;
  experiment_.finish(document_);
  output_->write(document_);
}

}  // namespace railgauge::runner
