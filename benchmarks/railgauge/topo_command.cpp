#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "benchmarks/railgauge/commands.hpp"
#include "checks/rail_check.hpp"
#include "options/shared.hpp"
#include "results/document_codec.hpp"
#include "results/output_file.hpp"
#include "topology/placement.hpp"
#include "topology/recording.hpp"
#include "topology/report.hpp"

namespace railgauge::benchmarks {
namespace {

using topology::HostMap;
using topology::PortPattern;

constexpr int kMostRanksOfAHost = 4096;

/// How many ports of a host a pattern matches.
int matches(const PortPattern& pattern, const HostMap& host) {
  int count = 0;
  for (const topology::RdmaDevice& device : host.devices) {
    for (const topology::RdmaPort& port : device.ports) {
      if (pattern.matches(device.name, port.number)) ++count;
    }
  }
  return count;
}

/// A pattern that matches no port of any host is a typing error.
void check_matches(const char* option, const std::optional<PortPattern>& pattern,
                   const std::vector<HostMap>& hosts) {
  const auto has_match = [&](const HostMap& host) { return matches(*pattern, host) > 0; };
  if (!pattern || std::ranges::any_of(hosts, has_match)) return;
  throw std::invalid_argument(std::string(option) + " " + pattern->text() + " matches no port");
}

/// "--exclude =mlx5_1 matches 3 ports on 3 of 4 hosts": a prefix may match more than was meant.
std::string count_of(const char* option, const std::optional<PortPattern>& pattern,
                     const std::vector<topology::HostReport>& hosts) {
  if (!pattern) return "";
  int ports = 0;
  int having = 0;
  for (const topology::HostReport& host : hosts) {
    const int here = matches(*pattern, host.map);
    ports += here;
    having += here > 0 ? 1 : 0;
  }
  return std::string(option) + " " + pattern->text() + " matches " + std::to_string(ports) +
         (ports == 1 ? " port on " : " ports on ") + std::to_string(having) + " of " +
         std::to_string(hosts.size()) + (hosts.size() == 1 ? " host" : " hosts");
}

/// The document railgauge/topology/2.
std::string as_json(const topology::Report& report, const finding::Report& findings) {
  results::Json document = topology::as_json(report);
  document["outcome"] = word(outcome(findings));
  document["findings"] = results::encode(findings.findings);
  document["coverage"] = results::encode(findings.coverage);
  // What is not UTF-8 in a recording is shown as such, and does not stop the rest.
  return document.dump(1, ' ', false, results::Json::error_handler_t::replace) + "\n";
}

void check_known(const topology::RailMap& map, const std::vector<HostMap>& hosts) {
  for (const topology::PortName& port : map) {
    const auto fits = [&](const topology::RdmaDevice& device) {
      return topology::mapped_place({port}, device.name, port.port.value_or(1)).has_value();
    };
    const bool known = std::ranges::any_of(
        hosts, [&](const HostMap& host) { return std::ranges::any_of(host.devices, fits); });
    if (!known) throw std::invalid_argument("--rail-map: unknown device " + port.device);
  }
}

std::vector<topology::Placement> from_file(const std::string& path,
                                           const topology::HostReport& host, int ranks) {
  try {
    return topology::load_placement(path, host.map, static_cast<int>(rails_of(host.rails)), ranks);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("--placement " + path + ": " + error.what());
  }
}

class TopoCommand final : public Command {
 public:
  TopoCommand();

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  void add_rails();
  void add_ranks();
  void check_options() const;
  void check_recording() const;
  void record(std::ostream& out) const;
  [[nodiscard]] std::vector<HostMap> hosts() const;
  void check_wishes(const std::vector<HostMap>& hosts) const;
  void place_ranks(topology::HostReport& host) const;
  void write_rankfile(const topology::Report& report, std::ostream& out) const;

  std::vector<std::string> from_;
  bool json_ = false;
  std::string record_file_;
  topology::NicWishes wishes_;
  int ranks_ = 0;
  std::string placement_ = "rail";
  std::string rankfile_;
  bool overwrite_ = false;
};

TopoCommand::TopoCommand()
    : Command({.program = "railgauge topo",
               .about = "Show NUMA nodes, RDMA devices, rails and rank placement; check the hosts",
               .examples = {{"railgauge topo --ranks 8 --rankfile ranks",
                             "Show where 8 ranks belong, and write a rankfile"},
                            {"railgauge topo --from node1.host node2.host",
                             "Check recordings of several hosts as one fabric"}}}) {
  table().repeated("--from", from_, "PATH",
                   "Show these recordings of hosts, or hwloc XML files, instead of this host; "
                   "several are checked as one fabric");
  table().flag(options::json("railgauge/topology/2"), json_);
  table().scalar("--record", record_file_, options::text("PATH"),
                 "Record this host in this file, for --from. It contains addresses, GIDs, GUIDs "
                 "(which include MAC addresses), firmware versions and the host name. It contains "
                 "no serial numbers, users, processes or files");
  table().flag(options::force(), overwrite_);
  add_rails();
  add_ranks();
}

void TopoCommand::add_rails() {
  table().optional(options::include(), wishes_.include);
  table().optional(options::exclude(), wishes_.exclude);
  table().scalar(options::fabric(), wishes_.fabric);
  table().scalar(options::rail_map(), wishes_.rail_map);
}

void TopoCommand::add_ranks() {
  table().scalar("--ranks", ranks_,
                 options::chosen_by_run(options::whole<int>(1, kMostRanksOfAHost)),
                 "Place this many ranks on each host");
  table().scalar(options::placement(), placement_);
  table().scalar("--rankfile", rankfile_, options::text("PATH"),
                 "Write the placement to this rankfile, for mpirun");
}

results::ExitCode TopoCommand::run(std::ostream& out, std::ostream& /*remarks*/) const {
  check_options();
  if (!record_file_.empty()) {
    record(out);
    return results::ExitCode::ok;
  }
  std::vector<HostMap> maps = hosts();
  check_wishes(maps);
  topology::NicWishes wanted = wishes_;
  // Of this host itself: as a run would do.
  const std::string note = from_.empty() ? topology::take_nccl_ports(wanted) : "";
  topology::Report report = topology::report_on(std::move(maps), wanted);
  for (const std::string& count :
       {count_of(note.empty() ? "--include" : "NCCL_IB_HCA", wanted.include, report.hosts),
        count_of("--exclude", wanted.exclude, report.hosts)}) {
    if (!count.empty()) report.notes.push_back(count);
  }
  if (!note.empty()) report.notes.push_back(note);
  if (ranks_ > 0) std::ranges::for_each(report.hosts, [&](auto& host) { place_ranks(host); });
  write_rankfile(report, out);
  const finding::Report findings = checks::check_hosts(report);
  if (json_) {
    out << as_json(report, findings);
  } else {
    out << as_table(report) + checks::as_text(findings);
  }
  const bool pass = outcome(findings) == finding::Outcome::pass;
  return pass ? results::ExitCode::ok : results::ExitCode::verdict_failed;
}

/// A recording is of this host alone.
void TopoCommand::check_recording() const {
  if (record_file_.empty()) return;
  for (const std::string& name : table().given_names()) {
    if (name == "record" || name == "force") continue;
    throw std::invalid_argument("--record takes no other option except --force");
  }
}

void TopoCommand::check_options() const {
  check_recording();
  if (ranks_ == 0 && (table().given("placement") || !rankfile_.empty())) {
    throw std::invalid_argument("--placement and --rankfile need --ranks, the number of ranks");
  }
  for (const std::string& file : {record_file_, rankfile_}) {
    results::OutputFile{file, overwrite_}.check();
  }
}

void TopoCommand::record(std::ostream& out) const {
  const topology::Recording recording = topology::record_here();
  results::OutputFile{record_file_, overwrite_}.write(to_text(recording), out);
  out << record_file_ << " has " << recording.names("class/infiniband").size()
      << " RDMA devices and " << recording.addresses.size() << " addresses of " << recording.host
      << ". It is a text file: read it before you send it.\n";
}

std::vector<HostMap> TopoCommand::hosts() const {
  std::vector<HostMap> maps;
  for (const std::string& file : from_) {
    const topology::Recording recording = topology::load_recording(file);
    try {
      maps.push_back(topology::read_host(recording));
    } catch (const std::invalid_argument& error) {
      throw std::runtime_error(file + ": " + error.what());
    }
  }
  if (from_.empty()) maps.push_back(topology::read_host(topology::record_here()));
  return maps;
}

void TopoCommand::check_wishes(const std::vector<HostMap>& hosts) const {
  check_matches("--include", wishes_.include, hosts);
  check_matches("--exclude", wishes_.exclude, hosts);
  check_known(wishes_.said(), hosts);
}

void TopoCommand::place_ranks(topology::HostReport& host) const {
  if (const auto mode = topology::placement_mode(placement_)) {
    host.ranks = topology::place(host.map, host.rails, ranks_, *mode);
  } else {
    host.ranks = from_file(placement_, host, ranks_);
  }
}

void TopoCommand::write_rankfile(const topology::Report& report, std::ostream& out) const {
  if (rankfile_.empty()) return;
  std::vector<topology::RankfileHost> placed;
  for (const topology::HostReport& host : report.hosts) {
    placed.push_back({host.map.host, host.map, host.ranks});
  }
  results::OutputFile{rankfile_, overwrite_}.write(topology::rankfile(placed), out);
}

}  // namespace

std::unique_ptr<Command> topo_command() {
  return std::make_unique<TopoCommand>();
}

}  // namespace railgauge::benchmarks
