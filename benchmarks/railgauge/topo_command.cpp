#include "benchmarks/railgauge/topo_command.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "results/output_file.hpp"
#include "topology/placement.hpp"
#include "topology/recording.hpp"

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

/// A pattern that fits no port of any host is a slip of the pen.
std::optional<PortPattern> pattern(const char* option, const std::string& text,
                                   const std::vector<HostMap>& hosts) {
  if (text.empty()) return std::nullopt;
  PortPattern made(text);
  if (std::ranges::any_of(hosts, [&](const HostMap& host) { return matches(made, host) > 0; })) {
    return made;
  }
  throw std::invalid_argument(std::string(option) + " " + text + " matches no port");
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

void check_known(const topology::RailMap& map, const std::vector<HostMap>& hosts) {
  for (const topology::MappedPort& port : map) {
    const auto fits = [&](const topology::RdmaDevice& device) {
      return topology::mapped_place({port}, device.name, port.port.value_or(1)).has_value();
    };
    const bool known = std::ranges::any_of(
        hosts, [&](const HostMap& host) { return std::ranges::any_of(host.devices, fits); });
    if (!known) throw std::invalid_argument("--rail-map: there is no device " + port.device);
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

}  // namespace

TopoCommand::TopoCommand(CLI::App& app) {
  command_ = app.add_subcommand(
      "topo", "This host as it is: NUMA nodes, RDMA devices, rails, and where ranks belong");
  command_->add_option("--from", from_,
                       "Recordings of hosts, or hwloc's XML, to look at instead of this host; "
                       "several are checked as one fabric");
  command_->add_flag("--json", json_, "As a document (railgauge/topology/1)");
  command_->add_flag("--tree", tree_, "As a tree: the PCI bridges between NUMA nodes and devices");
  command_->add_option("--svg", svg_file_, "Draw the host, the first of several, into this file");
  command_->add_option(
      "--record", record_file_,
      "Write what is read of this host into this file, for --from. It has "
      "addresses, GIDs and GUIDs (which tell MAC addresses), firmware versions and "
      "the host's name; no serial numbers, users, processes or files");
  command_->add_flag("--force", overwrite_, "Replace files that exist");
  add_rails(*command_);
  add_ranks(*command_);
}

void TopoCommand::add_rails(CLI::App& command) {
  command.add_option("--include", include_,
                     "Rails are among these ports only, as NCCL_IB_HCA says it: mlx5_0:1,mlx5_1; "
                     "=mlx5_1 the whole name, ^mlx5_1 all others, =mlx5_0:1:0:1 on plane 1 of "
                     "rail 0 (default: NCCL_IB_HCA, if it is set)");
  command.add_option("--exclude", exclude_, "These ports are no rails; =mlx5_1 is not mlx5_10");
  command.add_option("--fabric", fabric_,
                     "Rails are the ports of this fabric, where hosts have several: rails, or a "
                     "name that is listed under other fabrics");
  command.add_option("--rail-map", rail_map_,
                     "Which rail a device is on: mlx5_0=0,mlx5_1=1; with planes "
                     "mlx5_0=0:0,mlx5_1=0:1; in NCCL_IB_HCA's words; or a file with that");
}

void TopoCommand::add_ranks(CLI::App& command) {
  command.add_option("--ranks", ranks_, "Place this many ranks on every host")
      ->check(CLI::Range(1, kMostRanksOfAHost));
  command
      .add_option("--placement", placement_,
                  "rail: beside the NIC; spread: over all NUMA nodes; none; or a file with a "
                  "line for each rank: 0 rails=0,1 cpus=0-7 memory=0")
      ->capture_default_str();
  command.add_option("--rankfile", rankfile_, "Write that placement as a rankfile for mpirun");
}

results::ExitCode TopoCommand::run(std::ostream& out) const {
  check_options();
  if (!record_file_.empty()) {
    record(out);
    return results::ExitCode::ok;
  }
  std::vector<HostMap> maps = hosts();
  topology::NicWishes wanted = wishes(maps);
  const std::string note = take_nccl_ports(wanted);
  topology::Report report = topology::report_on(std::move(maps), wanted);
  for (const std::string& count :
       {count_of(note.empty() ? "--include" : "NCCL_IB_HCA", wanted.include, report.hosts),
        count_of("--exclude", wanted.exclude, report.hosts)}) {
    if (!count.empty()) report.notes.push_back(count);
  }
  if (!note.empty()) report.notes.push_back(note);
  if (ranks_ > 0) std::ranges::for_each(report.hosts, [&](auto& host) { place_ranks(host); });
  write_files(report, out);
  if (json_) {
    out << topology::as_json(report);
  } else {
    out << (tree_ ? topology::as_tree(report) : topology::as_table(report));
  }
  return report.wrong.empty() ? results::ExitCode::ok : results::ExitCode::verdict_failed;
}

void TopoCommand::check_options() const {
  if (json_ && tree_) throw std::invalid_argument("--json and --tree are two forms: take one");
  if (!record_file_.empty() && command_->count_all() > 2 + (overwrite_ ? 1U : 0U)) {
    throw std::invalid_argument(
        "--record writes this host as it is: of other options it takes --force");
  }
  if (ranks_ == 0 && (command_->count("--placement") > 0 || !rankfile_.empty())) {
    throw std::invalid_argument("--placement and --rankfile are of ranks: say how many, --ranks");
  }
  for (const std::string& file : {svg_file_, record_file_, rankfile_}) {
    results::OutputFile{file, overwrite_}.check();
  }
}

void TopoCommand::record(std::ostream& out) const {
  const topology::Recording recording = topology::record_here();
  results::OutputFile{record_file_, overwrite_}.write(to_text(recording), out);
  out << record_file_ << " has " << recording.names("class/infiniband").size()
      << " RDMA devices and " << recording.addresses.size() << " addresses of " << recording.host
      << ". Read it before you send it: it is text.\n";
}

std::vector<HostMap> TopoCommand::hosts() const {
  std::vector<HostMap> maps;
  for (const std::string& file : from_) {
    const topology::Recording recording = topology::load_recording(file);
    try {
      maps.push_back(topology::read_host(recording));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(file + ": " + error.what());
    }
  }
  if (from_.empty()) maps.push_back(topology::read_host(topology::record_here()));
  return maps;
}

topology::NicWishes TopoCommand::wishes(const std::vector<HostMap>& hosts) const {
  topology::NicWishes wanted{
      pattern("--include", include_, hosts), pattern("--exclude", exclude_, hosts), {}, fabric_};
  if (!rail_map_.empty()) wanted.rail_map = topology::load_rail_map(rail_map_);
  check_known(wanted.said(), hosts);
  return wanted;
}

/// Of this host itself, if no option names ports: as a run would do.
std::string TopoCommand::take_nccl_ports(topology::NicWishes& wanted) const {
  const bool named = wanted.names_ports() || wanted.exclude || !wanted.fabric.empty();
  if (named || !from_.empty()) return "";
  topology::NcclPorts found = topology::nccl_ports(std::getenv("NCCL_IB_HCA"));
  wanted.include = std::move(found.ports);
  return found.note;
}

void TopoCommand::place_ranks(topology::HostReport& host) const {
  if (const auto mode = topology::placement_mode(placement_)) {
    host.ranks = topology::place(host.map, host.rails, ranks_, *mode);
  } else {
    host.ranks = from_file(placement_, host, ranks_);
  }
}

void TopoCommand::write_files(const topology::Report& report, std::ostream& out) const {
  if (!svg_file_.empty()) {
    results::OutputFile{svg_file_, overwrite_}.write(topology::as_svg(report.hosts.front()), out);
  }
  if (rankfile_.empty()) return;
  std::vector<topology::RankfileHost> placed;
  for (const topology::HostReport& host : report.hosts) {
    placed.push_back({host.map.host, host.map, host.ranks});
  }
  results::OutputFile{rankfile_, overwrite_}.write(topology::rankfile(placed), out);
}

}  // namespace railgauge::benchmarks
