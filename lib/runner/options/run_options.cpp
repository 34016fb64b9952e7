#include "runner/options/run_options.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "job/start_up.hpp"

namespace railgauge::runner {
namespace {

constexpr int kMaxSoftRails = 64;  // what softroce has addresses for
constexpr int kMaxHosts = 1'000'000;
constexpr int kMaxGidIndex = 65'535;
constexpr std::int64_t kMaxSeconds = 86'400;  // a day

cluster::SoftDevices parse_soft_devices(std::string_view word) {
  const std::size_t times = word.find('x');
  const int rails = parse_whole<int>(word.substr(0, times), 1, kMaxSoftRails);
  if (times == std::string_view::npos) return {rails, 1};
  return {rails, parse_whole<int>(word.substr(times + 1), 1, kMaxSoftRails / rails)};
}

/// "soft", "soft:RAILS" or "soft:RAILSxPLANES".
Syntax<cluster::SoftDevices> soft_devices() {
  using cluster::SoftDevices;
  const auto parse = [](const std::string& word) {
    constexpr std::string_view kPrefix = "soft:";
    if (word == "soft") return SoftDevices{1, 1};
    try {
      if (word.starts_with(kPrefix)) {
        return parse_soft_devices(std::string_view(word).substr(kPrefix.size()));
      }
    } catch (const std::invalid_argument&) {  // the sentence below says more
    }
    throw std::invalid_argument("expected soft, soft:RAILS or soft:RAILSxPLANES with 1 to " +
                                std::to_string(kMaxSoftRails) +
                                " devices; names of devices go to --devices");
  };
  return {"KIND", parse, [](const SoftDevices& soft) {
            const std::string planes = soft.planes > 1 ? "x" + std::to_string(soft.planes) : "";
            return soft.rails == 0 ? "" : "soft:" + std::to_string(soft.rails) + planes;
          }};
}

Syntax<topology::PortPattern> ports() {
  return {"PORTS", [](const std::string& word) { return topology::PortPattern(word); },
          [](const topology::PortPattern& pattern) { return pattern.text(); }};
}

Syntax<topology::RailMap> rail_map() {
  return {"MAP", [](const std::string& word) { return topology::load_rail_map(word); },
          [](const topology::RailMap&) { return std::string(); }};
}

Syntax<metrics::Target> metrics_target() {
  return {"WHERE", [](const std::string& word) { return metrics::target_of(word); },
          [](const metrics::Target& target) { return metrics::word(target); }};
}

void add_metrics(OptionTable& table, RunOptions& options) {
  table.optional("--metrics", options.metrics, metrics_target(),
                 "Show figures of the whole job to Prometheus while it runs: in FILE.prom, for "
                 "node_exporter's textfile collector, or by HTTP on :PORT of localhost or on "
                 "ADDRESS:PORT, of rank 0's host");
  table.scalar("--metrics-style", options.metrics_names,
               choice<MetricsNames>({{"railgauge", MetricsNames::railgauge},
                                     {"nccl-inspector", MetricsNames::nccl_inspector}}),
               "Their names and labels; nccl-inspector: those of NVIDIA's NCCL Inspector, which "
               "its Grafana template reads");
}

void add_devices(OptionTable& table, cluster::DeviceOptions& device) {
  table.group("Devices and rails");
  table.axis("--devices", device.devices, text("NAME"),
             "RDMA devices of this host, one rail each, in this order, or DEVICE:PORT:RAIL:PLANE "
             "as in NCCL_IB_HCA (default: those that railgauge topo shows)");
  table.scalar(
      "--device", device.soft, soft_devices(),
      "soft, soft:RAILS or soft:RAILSxPLANES: run on this many software devices per rank "
      "(default: 1) and no others. Needs no RDMA hardware; results do not represent hardware");
  table.optional("--gid-index", device.gid_index, whole<int>(-1, kMaxGidIndex),
                 "GID index of every port; -1: by rule (RoCE v2, IPv4, not link-local)");
  table.optional("--include", device.nics.include, ports(),
                 "Use only these ports as rails, written as in NCCL_IB_HCA: mlx5_0:1,mlx5_1; "
                 "=mlx5_1 for the exact name, ^mlx5_1 for all others; =mlx5_0:1:0:1 is on plane 1 "
                 "of rail 0 (default: NCCL_IB_HCA, if it is set)");
  table.optional("--exclude", device.nics.exclude, ports(), "Do not use these ports as rails");
  table.scalar("--fabric", device.nics.fabric, text("NAME"),
               "Use the ports of this fabric, where hosts have several: rails (default), or one "
               "that railgauge topo lists under other fabrics");
  table.scalar("--rail-map", device.nics.rail_map, rail_map(),
               "Rail of each device: mlx5_0=0,mlx5_1=1, its plane: mlx5_0=0:0,mlx5_1=0:1, "
               "NCCL_IB_HCA's words, or a file of such entries (default: by the subnets that hosts "
               "share, otherwise in PCI order)");
  table.scalar("--placement", device.placement, text("MODE"),
               "Where ranks and their memory are bound: rail, local to the NIC of their number; "
               "spread, over all NUMA nodes; none; or a file with a line for each rank of a host: "
               "0 rails=0,1 cpus=0-7 memory=0");
}

void add_participants(OptionTable& table, RunOptions& options) {
  table.group("Who takes part");
  table.scalar("--nodes", options.nodes, whole<int>(1, kMaxHosts),
               "Fail unless the ranks are on this many hosts");
  table.scalar("--ppn", options.ranks_per_node, whole<int>(1, kMaxHosts),
               "Fail unless every host has this many ranks");
  table.flag("--allow-single", options.allow_single, "Allow a single-rank run");
  table.scalar("-T,--timeout", options.limit, seconds(1, kMaxSeconds),
               "Longest wait for other ranks, and for one operation");
}

void add_output(OptionTable& table, RunOptions& options, const std::vector<std::string>& tables) {
  table.group("Output");
  std::vector<std::pair<std::string, std::string>> forms;
  forms.reserve(tables.size() + 1);
  for (const std::string& form : tables) forms.emplace_back(form, form);
  forms.emplace_back("none", "none");
  options.table = tables.front();
  table.scalar("--table", options.table, choice(forms),
               "What is printed; none: only the result document, on stdout unless -J names a file");
  table.scalar("-J,--output_file", options.output_file, text("PATH"), "Result document (JSON)");
  table.scalar("--jsonl", options.lines_file, text("PATH"),
               "The same as JSON Lines, row by row during the run");
  table.scalar("--csv", options.csv_file, text("PATH"), "Rows as CSV, during the run");
  table.flag("--force", options.overwrite, "Replace these files if they exist");
  using Progress = RunOptions::Progress;
  table.scalar("--progress", options.progress,
               choice<Progress>({{"auto", Progress::automatic},
                                 {"stdout", Progress::to_stdout},
                                 {"stderr", Progress::to_stderr},
                                 {"none", Progress::none}}),
               "Where to show how much is left; auto: on stderr if that is a terminal. " +
                   job::launcher("mpirun") +
                   " names its own terminal, which Open MPI hides from the ranks");
  add_metrics(table, options);
}

/// Soft devices replace those that a file or the environment names.
void name_soft_devices(const OptionTable& table, cluster::DeviceOptions& device) {
  if (!table.given("device")) return;
  if (table.origin("devices") == OptionTable::Origin::command_line) {
    throw std::invalid_argument("--device and --devices: give one of the two");
  }
  device.devices.clear();
  for (int i = 0; i < device.soft.count(); ++i) {
    const int planes = device.soft.planes;
    const std::string place = "::" + std::to_string(i / planes) + ":" + std::to_string(i % planes);
    device.devices.push_back("soft" + std::to_string(i) + (planes > 1 ? place : ""));
  }
}

void check_rail_choice(const cluster::DeviceOptions& device) {
  const topology::NicWishes& nics = device.nics;
  const bool chosen =
      nics.include || nics.exclude || !nics.rail_map.empty() || !nics.fabric.empty();
  if (!chosen || device.devices.empty()) return;
  throw std::invalid_argument("--include, --exclude, --fabric and --rail-map choose rails, but " +
                              std::string(device.soft.rails > 0 ? "--device" : "--devices") +
                              " has already named them");
}

/// Whether an option says which ports are rails.
bool names_rails(const cluster::DeviceOptions& device) {
  const topology::NicWishes& nics = device.nics;
  return nics.include || nics.exclude || !nics.rail_map.empty() || !nics.fabric.empty() ||
         !device.devices.empty();
}

/// NCCL's own choice, where no option says otherwise: what is measured is what NCCL would use.
void take_nccl_ports(RunOptions& options) {
  if (names_rails(options.device)) return;
  topology::NcclPorts found = topology::nccl_ports(std::getenv("NCCL_IB_HCA"));
  options.device.note = std::move(found.note);
  if (!found.ports) return;
  options.in_force["include"] = {found.ports->text(), results::Option::Origin::environment};
  options.device.nics.include = std::move(found.ports);
}

void check_metrics(const OptionTable& table, RunOptions& options) {
  if (!options.metrics) {
    if (!table.given("metrics-style")) return;
    throw std::invalid_argument("--metrics-style without --metrics: there are none to name");
  }
  if (!options.metrics->is_http() && !options.metrics->file.ends_with(".prom")) {
    options.notes.push_back("--metrics " + options.metrics->file +
                            ": node_exporter's textfile collector reads only files whose names end "
                            "in .prom");
  }
}

}  // namespace

void add_run_options(OptionTable& table, RunOptions& options,
                     const std::vector<std::string>& tables) {
  add_devices(table, options.device);
  add_participants(table, options);
  add_output(table, options, tables);
}

void check_own_file(const RunOptions& run, const std::string& option, const std::string& path) {
  const auto same = [](const std::string& name) {
    return std::filesystem::absolute(name).lexically_normal();
  };
  const std::pair<const char*, const std::string&> files[] = {
      {"-J", run.output_file}, {"--jsonl", run.lines_file}, {"--csv", run.csv_file}};
  for (const auto& [other, file] : files) {
    if (path.empty() || file.empty() || option == other) continue;
    if (same(path) != same(file)) continue;
    std::string why = option;
    why.append(" ").append(path).append(" and ").append(other).append(" ").append(file);
    throw std::invalid_argument(why.append(" are the same file: name another one"));
  }
}

void check_run_options(const OptionTable& table, RunOptions& options) {
  if (options.device.gid_index == -1) options.device.gid_index.reset();
  name_soft_devices(table, options.device);
  check_rail_choice(options.device);
  (void)topology::rail_map_of_devices(options.device.devices);  // throws for names that contradict
  (void)options.device.nics.said();
  if (options.overwrite && !options.has_own_files && options.output_file.empty() &&
      options.lines_file.empty() && options.csv_file.empty()) {
    throw std::invalid_argument(
        "--force without -J, --jsonl or --csv: there is no file to replace");
  }
  check_own_file(options, "--jsonl", options.lines_file);
  check_own_file(options, "--csv", options.csv_file);
  options.in_force = table.in_force();
  options.notes = table.notes();
  check_metrics(table, options);
  take_nccl_ports(options);
}

}  // namespace railgauge::runner
