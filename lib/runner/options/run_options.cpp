#include "runner/options/run_options.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "job/start_up.hpp"
#include "options/shared.hpp"

namespace railgauge::runner {
namespace {

using options::choice;
using options::OptionTable;
using options::parse_whole;
using options::seconds;
using options::Syntax;
using options::text;
using options::whole;

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

Syntax<metrics::Target> metrics_target() {
  return {"WHERE", [](const std::string& word) { return metrics::target_of(word); },
          [](const metrics::Target& target) { return metrics::word(target); }};
}

void add_metrics(OptionTable& table, RunOptions& options) {
  table.optional("--metrics", options.metrics, metrics_target(),
                 "Export metrics of the whole job to Prometheus from rank 0: FILE.prom for "
                 "node_exporter's textfile collector, or HTTP on :PORT (localhost) or "
                 "ADDRESS:PORT");
  table.scalar(
      "--metrics-style", options.metrics_names,
      choice<MetricsNames>({{"railgauge", MetricsNames::railgauge},
                            {"nccl-inspector", MetricsNames::nccl_inspector}}),
      "Names and labels of metrics; nccl-inspector: those of NVIDIA's NCCL Inspector, which "
      "its Grafana template reads");
}

void add_devices(OptionTable& table, cluster::DeviceOptions& device) {
  table.group("Devices and rails");
  table.axis("--devices", device.devices, text("NAME"),
             "RDMA devices of this host, one rail each, in this order; or DEVICE:PORT:RAIL:PLANE "
             "as in NCCL_IB_HCA (default: those that railgauge topo shows)");
  table.scalar("--device", device.soft, soft_devices(),
               "soft, soft:RAILS or soft:RAILSxPLANES: run on this many software devices per rank "
               "(default: 1). They need no RDMA hardware; results do not represent hardware");
  table.optional("--gid-index", device.gid_index, whole<int>(-1, kMaxGidIndex),
                 "GID index of every port; -1: selected by rule (RoCE v2, IPv4, not link-local)");
  table.scalar(
      "--service-level", device.service_level, whole<std::uint8_t>(0, 7),
      "Service level of all connections: the 802.1p priority (PCP) on a VLAN, for switches "
      "that trust it instead of the DSCP");
  table.optional(options::include(), device.nics.include);
  table.optional(options::exclude(), device.nics.exclude);
  table.scalar(options::fabric(), device.nics.fabric);
  table.scalar(options::rail_map(), device.nics.rail_map);
  table.scalar(options::placement(), device.placement);
}

void add_participants(OptionTable& table, RunOptions& options) {
  table.group("Participants");
  table.scalar("--nodes", options.nodes, whole<int>(1, kMaxHosts),
               "Fail unless the ranks are on this many hosts");
  table.scalar("--ppn", options.ranks_per_node, whole<int>(1, kMaxHosts),
               "Fail unless every host has this many ranks");
  table.flag("--allow-single", options.allow_single, "Allow a single-rank run");
  table.scalar("-T,--timeout", options.limit, seconds(1, kMaxSeconds),
               "Time limit for waiting for other ranks, and for one operation");
}

void add_output(OptionTable& table, RunOptions& options, const std::vector<std::string>& tables) {
  table.group("Output");
  std::vector<std::pair<std::string, std::string>> forms;
  forms.reserve(tables.size() + 1);
  for (const std::string& form : tables) forms.emplace_back(form, form);
  forms.emplace_back("none", "none");
  options.table = tables.front();
  table.scalar("--table", options.table, choice(forms),
               "Table to print; none: only the result document, on stdout unless -J names a file");
  table.scalar("-J,--output_file", options.output_file, text("PATH"),
               "File for the result document (JSON)");
  table.scalar("--jsonl", options.lines_file, text("PATH"),
               "File for rows as JSON Lines, written during the run");
  table.scalar("--csv", options.csv_file, text("PATH"),
               "File for rows as CSV, written during the run");
  table.flag(options::force(), options.overwrite);
  using Progress = RunOptions::Progress;
  table.scalar("--progress", options.progress,
               choice<Progress>({{"auto", Progress::automatic},
                                 {"stdout", Progress::to_stdout},
                                 {"stderr", Progress::to_stderr},
                                 {"none", Progress::none}}),
               "Where to print progress; auto: on stderr if it is a terminal. " +
                   job::launcher("mpirun") +
                   " sets it for its own terminal, which Open MPI hides from the ranks");
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

/// NCCL's own choice, where no option says otherwise: what is measured is what NCCL would use.
void take_nccl_ports(RunOptions& options) {
  topology::NicWishes& nics = options.device.nics;
  if (!options.device.devices.empty() || nics.include) return;
  options.device.note = topology::take_nccl_ports(nics);
  if (nics.include)
    options.in_force["include"] = {nics.include->text(), results::Option::Origin::environment};
}

void check_metrics(const OptionTable& table, RunOptions& options) {
  if (!options.metrics && table.given("metrics-style")) {
    throw std::invalid_argument("--metrics-style without --metrics: no metrics are exported");
  }
  if (options.metrics && !options.metrics->is_http() && !options.metrics->file.ends_with(".prom")) {
    options.notes.push_back("--metrics " + options.metrics->file +
                            ": node_exporter's textfile collector reads only files whose names end "
                            "in .prom");
  }
}

struct NcclVariable {
  const char* name;
  const char* option;     // its long name; empty: there is none
  const char* instead;    // of a value that the option does not take, or of no option
  const char* same = "";  // the value that changes nothing
};

constexpr const char* kGid = "INDEX (ibv_devinfo -v lists GIDs)";
constexpr const char* kRetries = "the ACK time-out is 1 s, with 6 retries";
constexpr const char* kRdma = "data go over RDMA devices, or over the memory of a host";

constexpr std::array kNccl{
    NcclVariable{"NCCL_IB_TC", "traffic-class", ""},
    NcclVariable{"NCCL_IB_FIFO_TC", "traffic-class", ""},
    NcclVariable{"NCCL_IB_GID_INDEX", "gid-index", ""},
    NcclVariable{"NCCL_IB_ROCE_VERSION_NUM", "gid-index", kGid, "2"},
    NcclVariable{"NCCL_IB_ADDR_FAMILY", "gid-index", kGid, "AF_INET"},
    NcclVariable{"NCCL_IB_ADDR_RANGE", "gid-index", kGid},
    NcclVariable{"NCCL_IB_SL", "service-level", "", "0"},
    NcclVariable{"NCCL_IB_DISABLE", "", kRdma, "0"},
    NcclVariable{"NCCL_NET", "", kRdma, "IB"},
    NcclVariable{"NCCL_IB_QPS_PER_CONNECTION", "qps", ""},
    NcclVariable{"NCCL_IB_SPLIT_DATA_ON_QPS", "", "data are split over all queue pairs", "1"},
    NcclVariable{"NCCL_IB_TIMEOUT", "", kRetries},
    NcclVariable{"NCCL_IB_RETRY_CNT", "", kRetries},
    NcclVariable{"NCCL_CROSS_NIC", "cross-rail", "with --rails own", "0"},
    NcclVariable{"NCCL_SOCKET_IFNAME", "",
                 "RAILGAUGE_MANAGEMENT_IF names the interface of MPI's traffic"},
    NcclVariable{"NCCL_P2P_NET_CHUNKSIZE", "chunk", ""},
    NcclVariable{"NCCL_BUFFSIZE", "window", "CHUNKS, and --chunk SIZE"},
    NcclVariable{"NCCL_PROTO", "", "RDMA WRITE WITH IMMEDIATE is the only protocol", "Simple"},
    NcclVariable{"NCCL_ALGO", "algo", "NAME (see --help)"},
    NcclVariable{"NCCL_TESTS_MIN_BW", "",
                 "railgauge compare --policy or --baseline judges the bandwidth"},
    NcclVariable{"NCCL_TESTS_SPLIT", "split", "RULE (see --help)"},
    NcclVariable{"NCCL_TESTS_SPLIT_MASK", "split", "'AND MASK'"},
    NcclVariable{"NCCL_TESTS_DEVICE", "", "--devices names the NICs"},
};

std::string note_on(const NcclVariable& variable, const std::string& value) {
  const std::string note = std::string(variable.name) + "=" + value + " is not followed";
  if (*variable.option == '\0') return note + ": " + variable.instead;
  return note + "; give --" + variable.option + " " +
         (*variable.instead == '\0' ? value : variable.instead);
}

/// A sentence for each variable of NCCL or nccl-tests that is set and not followed: which option
/// says the same here. None where that option was given. NCCL_IB_HCA is followed
/// (topology::nccl_ports()).
std::vector<std::string> notes_on_nccl_variables(const options::OptionTable& table) {
  const auto options = table.in_force();
  std::vector<std::string> notes;
  for (const NcclVariable& variable : kNccl) {
    const char* const value = std::getenv(variable.name);
    if (value == nullptr || *value == '\0' || std::string_view(value) == variable.same) continue;
    const auto option = options.find(variable.option);
    const bool is_missing = *variable.option != '\0' && option == options.end();
    const bool is_given =
        option != options.end() && option->second.origin != results::Option::Origin::default_value;
    if (!is_missing && !is_given) notes.push_back(note_on(variable, value));
  }
  return notes;
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
    throw std::invalid_argument(why.append(" are the same file; give different files"));
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
  std::ranges::move(notes_on_nccl_variables(table), std::back_inserter(options.notes));
  check_metrics(table, options);
  take_nccl_ports(options);
}

std::vector<std::string> variables_of_others() {
  std::vector<std::string> names;
  // launchers/mpirun, launchers/slurm/job; launchers/lab
  for (const char* name :
       {"MANAGEMENT_IF", "RESTART", "START", "AGENT_PORT", "DEVICES", "HOSTFILE", "LAB", "RESULTS",
        "RSH", "SHARE",
        // what a program tells itself when it starts again
        "SOFTROCE_PRELOADED",
        // options that not all programs have; tests/benchmarks/manual_test
        // compares them with the programs
        "ALGO", "SWITCH_NAMES", "AGG_ITERS", "AVERAGE", "BLOCKING", "CHECK", "CHUNK", "CI",
        "COLLECTIVES", "BIDIRECTIONAL", "COLOURS", "CONNECT", "LINE_RATE", "LOAD", "MAX_TIME",
        "MEDIAN_SHARE", "MODE", "PAIRS", "PLAN", "REPETITIONS", "SEED", "SIZE", "RECORD", "RESUME",
        "SIZES", "VERIFY", "CROSS_RAIL", "DATATYPE", "DURATION", "INLINE", "ITERS", "MATRIX",
        "MAXBYTES", "MINBYTES", "OP", "PER_ITER_SKIP", "PER_ITER_TIMING", "PROGRESS_THREADS", "QPS",
        "RAILS", "REDUCE", "REDUCE_THREADS", "REPORT_TIMESTAMPS", "RETRIES", "ROOT", "RUN_CYCLES",
        "SAME_HOST", "SAME_RAIL_ONLY", "SPLIT", "SPREAD", "SPREAD_PATHS", "STEPBYTES", "STEPFACTOR",
        "SVG", "TIME", "TRAFFIC_CLASS", "UNALIGN", "WARMUP_ITERS", "WINDOW", "EVIDENCE", "LABELS",
        "PORTS", "PROBE_RATE", "PATH_LABELS", "ROUNDS", "FAIL_ON", "OUTAGE", "EXPECT", "INTERVAL",
        "LOADS", "RAIL", "RECEIVER", "SCENARIO", "STEP_TIME", "SWITCH_COUNTERS", "SET", "STEPS",
        "WARMUP_STEPS", "VERIFY_EVERY", "MEMORY", "GPU_REDUCE", "OTHER_CLASS", "OVERSUBSCRIPTION",
        "BREAK_COMMAND", "PROFILE", "SCENARIO_FILE", "DEADLINE", "COMPUTE", "COMPUTE_BYTES",
        "MAX_FACTOR", "TOPOLOGY", "WORLD"}) {
    names.push_back(std::string("RAILGAUGE_") + name);
  }
  return names;
}

}  // namespace railgauge::runner
