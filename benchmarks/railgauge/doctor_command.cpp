#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "benchmarks/railgauge/commands.hpp"
#include "benchmarks/railgauge/doctor_metrics.hpp"
#include "benchmarks/railgauge/pair_probes.hpp"
#include "benchmarks/railgauge/word_list.hpp"
#include "doctor/examination.hpp"
#include "doctor/masking.hpp"
#include "doctor/reader.hpp"
#include "doctor/text.hpp"
#include "manual/manual.hpp"
#include "metrics/text_file.hpp"
#include "options/shared.hpp"
#include "results/codec.hpp"
#include "results/output_file.hpp"
#include "results/version.hpp"
#include "verdict/library.hpp"

namespace railgauge::benchmarks {
namespace {

namespace fs = std::filesystem;
using doctor::Check;

constexpr const char* kEnding = ".host";

[[noreturn]] void refuse(const std::string& option, const std::string& name) {
  std::vector<std::string> known;
  known.reserve(doctor::all_checks().size());
  for (const Check& check : doctor::all_checks()) known.emplace_back(check.name);
  throw std::invalid_argument(option + ": there is no check '" + name + "' in --list" +
                              manual::did_you_mean(name, known));
}

std::vector<const Check*> checks_named(const std::string& option,
                                       const std::vector<std::string>& lists) {
  std::vector<const Check*> found;
  for (const std::string& word : words_of(lists)) {
    const auto more = doctor::named(word);
    if (more.empty()) refuse(option, word);
    found.insert(found.end(), more.begin(), more.end());
  }
  if (found.empty() && !lists.empty())
    throw std::invalid_argument(option + " names no check; see --list");
  return found;
}

/// "memlock", or with the reason "memlock=a test host".
finding::Waiver waiver_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (doctor::find_check(name) == nullptr) refuse("--waive", name);
  const std::string reason = equals == std::string::npos ? "" : text.substr(equals + 1);
  return {name, reason.empty() ? "by --waive" : reason};
}

doctor::Expectations policy_in(const std::string& file) {
  const auto document = verdict::read_json(file);
  doctor::Expectations wanted;
  try {
    json::decode(document, wanted);
  } catch (const json::FieldError& error) {
    throw std::invalid_argument("--policy " + file + ": " + error.what());
  }
  return wanted;
}

options::Syntax<doctor::Level> level() {
  std::vector<std::pair<std::string, doctor::Level>> choices;
  for (const auto one : {doctor::Level::reading, doctor::Level::pair, doctor::Level::fabric})
    choices.emplace_back(word(one), one);
  return options::choice(choices);
}

/// A file, or of a folder all recordings in it.
std::vector<std::string> recordings_in(const std::string& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == kEnding) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  if (files.empty()) throw std::runtime_error(path + " has no recordings (*" + kEnding + ")");
  return files;
}

class DoctorCommand final : public Command {
 public:
  DoctorCommand();

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  void add_hosts();
  void add_checks();
  void add_output();
  void check_options() const;
  void record(std::ostream& out) const;
  [[nodiscard]] std::vector<doctor::HostFacts> hosts() const;
  [[nodiscard]] bool is_asked(doctor::Level level) const;
  [[nodiscard]] std::vector<const Check*> checks() const;
  [[nodiscard]] doctor::Expectations wanted() const;
  [[nodiscard]] topology::NicWishes wishes(std::ostream& remarks) const;
  [[nodiscard]] std::string text_of(const doctor::Document& found) const;
  [[nodiscard]] static std::string document(const doctor::Document& found);

  std::vector<std::string> from_;
  std::vector<std::string> since_;
  std::string pairs_;
  std::vector<std::string> findings_;
  doctor::Level level_ = doctor::Level::reading;
  std::vector<std::string> expect_;
  std::string root_ = "/";
  std::string record_;
  std::string mask_;
  topology::NicWishes wishes_;
  bool list_ = false;
  std::string explain_;
  std::vector<std::string> only_;
  std::vector<std::string> skip_;
  std::vector<std::string> waive_;
  std::string policy_;
  bool json_ = false;
  bool junit_ = false;
  bool drain_reason_ = false;
  std::string output_;
  bool overwrite_ = false;
  std::string metrics_;
};

DoctorCommand::DoctorCommand()
    : Command(
          {.program = "railgauge doctor",
           .about = "Check that hosts are fit to be measured: links, PCIe, limits, RoCE settings",
           .examples = {
               {"railgauge doctor", "Check this host"},
               {"launchers/mpirun --hosts node1,node2 railgauge doctor",
                "Check the hosts of a job, and compare them with each other"},
               {"launchers/mpirun --hosts node1,node2,node3 railgauge doctor --level pair",
                "Also test the paths between them: MTU, class of packets, loss, rate, clocks"},
               {"launchers/mpirun --hosts node1,node2 --ppn 1 railgauge doctor "
                "--record /shared/hosts",
                "Record the hosts of a job, each in a file of a shared folder"},
               {"railgauge doctor --from /shared/hosts",
                "Check them, and compare them with each other"},
               {"railgauge doctor --explain pcie-width", "Show what a check reads and expects"}}}) {
  add_hosts();
  add_checks();
  add_output();
}

void DoctorCommand::add_hosts() {
  table().repeated("--from", from_, "PATH",
                   "Check these recordings, or all in these folders, instead of this host; several "
                   "are compared with each other");
  table().repeated("--since", since_, "PATH",
                   "Compare counters of ports with these earlier recordings of the same hosts: "
                   "lost packets, link events, symbol errors, pauses and others, with rates");
  table().scalar("--pairs", pairs_, options::text("FILE"),
                 "Judge the paths in this result of reachability_perf or pairs_perf with what the "
                 "recordings say of their ports");
  table().repeated("--findings", findings_, "FILE",
                   "Also judge what these results of congestion_perf and isolate_perf found");
  table().repeated("--expect", expect_, "HOST[,...]",
                   "Hosts that have to be among the recordings, by name or address; one that is "
                   "not is UNKNOWN");
  table().scalar("--sysfs-root", root_, options::text("DIR"),
                 "Read sys and proc in this folder, a copy from another host");
  table().scalar(
      "--record", record_, options::text("PATH"),
      "Record this host in this file, or in a file of this folder, for --from. It "
      "contains addresses, GIDs, GUIDs and MAC addresses, those of neighbours, versions, "
      "limits, counters and the host name. It contains no serial numbers, users or "
      "secrets");
  table().scalar("--mask", mask_, options::text("WORD"),
                 "Replace addresses, GIDs, GUIDs and MAC addresses in what --record writes. "
                 "Recordings that are masked with the same secret word still compare");
  table().optional(options::include(), wishes_.include);
  table().optional(options::exclude(), wishes_.exclude);
  table().scalar(options::fabric(), wishes_.fabric);
  table().scalar(options::rail_map(), wishes_.rail_map);
}

void DoctorCommand::add_checks() {
  table().flag("--list", list_, "List all checks");
  table().scalar("--explain", explain_, options::text("CHECK"),
                 "Show what this check reads and expects, its remedy and its source");
  table().scalar("--level", level_, level(),
                 "How far to test. static: read hosts; pair: also probe the paths between them; "
                 "fabric: also load the fabric. launchers/mpirun in front of it runs the probes");
  table().repeated("--only", only_, "CHECK[,...]", "Only these checks, or groups of checks");
  table().repeated("--skip", skip_, "CHECK[,...]", "Not these checks, or groups of checks");
  table().repeated("--waive", waive_, "CHECK[=REASON]",
                   "Findings and UNKNOWN of this check do not decide; the output has the reason");
  table().scalar("--policy", policy_, options::text("FILE"),
                 "What the site wants (railgauge/doctor-policy/1): MTU, priority, DSCP, versions, "
                 "waivers");
}

void DoctorCommand::add_output() {
  table().flag(options::json("railgauge/doctor/1"), json_);
  table().flag("--junit", junit_, "Print a test report: a test case for each check");
  table().flag("--drain-reason", drain_reason_,
               "Print one line of at most 80 characters if the outcome is FAIL, else nothing");
  table().scalar(options::output_file(), output_);
  table().flag(options::force(), overwrite_);
  table().scalar("--metrics", metrics_, options::text("FILE"),
                 "Also write the verdicts for Prometheus: a file for node_exporter's textfile "
                 "collector, replaced as a whole");
}

void DoctorCommand::check_options() const {
  if (json_ + junit_ + drain_reason_ > 1)
    throw std::invalid_argument("give one of --json, --junit and --drain-reason");
  if (!from_.empty() && (table().given("sysfs-root") || !record_.empty()))
    throw std::invalid_argument("--from reads recordings; --sysfs-root and --record read a host");
  if (!mask_.empty() && record_.empty())
    throw std::invalid_argument("--mask is about the recording of --record");
  if (from_.empty() && !expect_.empty())
    throw std::invalid_argument("--expect is about the recordings of --from");
  results::OutputFile{output_, overwrite_}.check();
}

/// Ranks of one host may write the same file: it is the same host.
void DoctorCommand::record(std::ostream& out) const {
  topology::Recording recording = doctor::record(root_, results::version_text());
  if (!mask_.empty()) doctor::mask_addresses(recording, mask_);
  const bool in_folder = record_.ends_with('/') || fs::is_directory(record_);
  const std::string file =
      in_folder ? (fs::path(record_) / (recording.host + kEnding)).string() : record_;
  results::OutputFile{file, overwrite_ || in_folder}.write(to_text(recording), out);
  out << file << " has " << recording.files.size() << " values of " << recording.host << ", and "
      << recording.unread.size()
      << " that could not be read. It is a text file: read it before you send it.\n";
}

std::vector<doctor::HostFacts> facts_in(const std::vector<std::string>& paths) {
  std::vector<doctor::HostFacts> all;
  for (const std::string& path : paths) {
    for (const std::string& file : recordings_in(path))
      all.push_back(doctor::facts_of(topology::load_recording(file)));
  }
  return all;
}

std::vector<doctor::HostFacts> DoctorCommand::hosts() const {
  std::vector<doctor::HostFacts> all = facts_in(from_);
  if (from_.empty())
    all.push_back(doctor::facts_of(doctor::record(root_, results::version_text())));
  return all;
}

/// Whether there is anything to judge.
bool DoctorCommand::is_asked(doctor::Level level) const {
  switch (level) {
    case doctor::Level::reading: return true;
    case doctor::Level::interval: return !since_.empty();
    case doctor::Level::pair: return !pairs_.empty() || level_ >= doctor::Level::pair;
    case doctor::Level::fabric: return !findings_.empty() || level_ >= doctor::Level::fabric;
  }
  return true;
}

std::vector<const Check*> DoctorCommand::checks() const {
  const auto only = checks_named("--only", only_);
  const auto skip = checks_named("--skip", skip_);
  std::vector<const Check*> chosen;
  for (const Check& check : doctor::all_checks()) {
    const bool wanted =
        only.empty() ? is_asked(check.level) : std::ranges::find(only, &check) != only.end();
    if (wanted && std::ranges::find(skip, &check) == skip.end()) chosen.push_back(&check);
  }
  if (chosen.empty()) throw std::invalid_argument("--only and --skip leave no check");
  return chosen;
}

doctor::Expectations DoctorCommand::wanted() const {
  doctor::Expectations wanted;
  if (!policy_.empty()) wanted = policy_in(policy_);
  for (const std::string& text : waive_) wanted.waivers.push_back(waiver_of(text));
  return wanted;
}

/// Of this host itself, if no option names ports: as a run would do.
topology::NicWishes DoctorCommand::wishes(std::ostream& remarks) const {
  topology::NicWishes wanted = wishes_;
  const std::string note = from_.empty() ? topology::take_nccl_ports(wanted) : "";
  if (!note.empty()) remarks << note << "\n";
  return wanted;
}

std::string DoctorCommand::document(const doctor::Document& found) {
  const auto document = results::encode(found);
  return document.dump(1, ' ', false, results::Json::error_handler_t::replace) + "\n";
}

std::string DoctorCommand::text_of(const doctor::Document& found) const {
  if (json_) return document(found);
  if (junit_) return doctor::as_junit(found);
  if (!drain_reason_) return doctor::as_text(found);
  const std::string reason = drain_reason(found.report, found.policy);
  return reason.empty() ? "" : reason + "\n";
}

results::ExitCode DoctorCommand::run(std::ostream& out, std::ostream& remarks) const {
  check_options();
  const auto explained = explain_.empty() ? nullptr : doctor::find_check(explain_);
  if (!explain_.empty() && explained == nullptr) refuse("--explain", explain_);
  if (list_ || explained != nullptr) {
    out << (explained != nullptr ? doctor::explanation(*explained) : doctor::listing());
    return results::ExitCode::ok;
  }
  if (!record_.empty()) {
    record(out);
    return results::ExitCode::ok;
  }
  const auto chosen = checks();
  const auto expected = wanted();
  doctor::Hosts understood = doctor::understood(hosts(), wishes(remarks), words_of(expect_));
  if (!since_.empty()) compare_counters(understood, facts_in(since_));
  understood.asks_pairs = level_ >= doctor::Level::pair;
  understood.asks_tests = level_ >= doctor::Level::fabric;
  if (!pairs_.empty()) add_pairs(understood, pair_probes_in(pairs_));
  for (const std::string& file : words_of(findings_))
    understood.found_by_tests.push_back(findings_in(file));
  const doctor::Document found = doctor::examine(understood, chosen, expected);
  results::OutputFile{output_, overwrite_}.write(text_of(found), out);
  if (!metrics_.empty())
    metrics::TextFile(metrics_).replace(
        metrics::text_of(snapshot_of(found, std::chrono::system_clock::now())));
  const bool pass = outcome(found.report, found.policy) == finding::Outcome::pass;
  return pass ? results::ExitCode::ok : results::ExitCode::verdict_failed;
}

}  // namespace

std::unique_ptr<Command> doctor_command() {
  return std::make_unique<DoctorCommand>();
}

}  // namespace railgauge::benchmarks
