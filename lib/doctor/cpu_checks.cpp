// Processors, memory, and the limits of the process that will run there.

#include <algorithm>

#include "doctor/judging.hpp"
#include "finding/words.hpp"

namespace railgauge::doctor {
namespace {

using finding::Cause;

constexpr double kMebi = 1024.0 * 1024;
constexpr double kGibi = kMebi * 1024;

/// "performance 64" or "performance 62, powersave 2"
Answer performs(const Inputs& in) {
  const std::string& governors = in.values.front();
  const bool all =
      governors.starts_with("performance ") && governors.find(',') == std::string::npos;
  return all ? passed(governors) : warned(governors, "performance on every CPU");
}

Answer wakes_soon(const Inputs& in) {
  constexpr double kMost = 50;  // us: more than a small message takes over a fabric
  const auto latency = number_in(in.values.front());
  if (!latency) return not_understood(in.values.front());
  const std::string text = finding::number(*latency, "us");
  return *latency <= kMost ? passed(text) : warned(text, "at most 50 us");
}

Answer has_big_pages(const Inputs& in) {
  const auto free = number_in(in.values[0]);
  if (!free) return not_understood(in.values[0]);
  const bool never = in.values[1].find("[never]") != std::string::npos;
  if (!never) return passed("transparent");
  if (*free > 0) return passed(in.values[0] + " free of 2 MiB");
  return warned("4 KiB only", "transparent, or reserved pages of 2 MiB",
                "NICs look up every page of a buffer");
}

/// What a limit is in bytes or pieces; "unlimited" is more than any.
std::optional<double> limit_in(const std::string& text) {
  constexpr double kAny = 1e30;
  return text == "unlimited" || text == "max" ? kAny : number_in(text);
}

/// softroce's devices copy, and lock nothing. rdma_rxe's lock buffers as hardware does.
bool locks_nothing(const topology::RdmaDevice& device) {
  return device.software && device.model == "softroce";
}

Answer locks_enough(const Inputs& in) {
  const auto& devices = in.subject.facts->map.devices;
  if (!devices.empty() && std::ranges::all_of(devices, locks_nothing))
    return not_applicable("soft devices lock no memory");
  const auto limit = limit_in(in.values.front());
  if (!limit) return not_understood(in.values.front());
  if (*limit >= 32 * kGibi) return passed(in.values.front());
  const std::string text = bytes_text(*limit);
  return *limit < kGibi ? failed(text, "unlimited", "buffers cannot be registered")
                        : warned(text, "unlimited, or at least 32 GiB");
}

Answer opens_enough(const Inputs& in) {
  constexpr double kLeast = 4096;
  const auto limit = limit_in(in.values.front());
  if (!limit) return not_understood(in.values.front());
  if (*limit >= kLeast) return passed(in.values.front());
  return warned(in.values.front(), "at least 4096", "large jobs open a socket for each peer");
}

Answer shares_enough(const Inputs& in) {
  const auto bytes = number_in(in.values.front());
  if (!bytes) return not_understood(in.values.front());
  const std::string text = bytes_text(*bytes);
  if (*bytes >= 8 * kGibi) return passed(text);
  return *bytes <= 64 * kMebi ? failed(text, "at least 8 GiB", "it is a container's default")
                              : warned(text, "at least 8 GiB");
}

/// A group may have half of the memory or more.
Answer has_memory(const Inputs& in) {
  constexpr double kKibi = 1024;
  const auto limit = limit_in(in.values[0]);
  const auto total = number_in(in.values[1]);
  if (!limit || !total) return not_understood(in.values[0]);
  if (*limit * 2 >= *total * kKibi)
    return passed(in.values[0] == "max" ? "max" : bytes_text(*limit));
  return warned(bytes_text(*limit), "at least half of " + bytes_text(*total * kKibi));
}

/// Firmware reserves different amounts: hosts are compared to the nearest 8 GiB.
Answer memory_size(const Inputs& in) {
  constexpr double kStep = 8.0 * 1024 * 1024;  // KiB
  const auto total = number_in(in.values.front());
  if (!total) return not_understood(in.values.front());
  const auto steps = static_cast<long>((*total + kStep / 2) / kStep);
  return passed(steps == 0 ? bytes_text(*total * 1024) : std::to_string(steps * 8) + " GiB");
}

Answer all_online(const Inputs& in) {
  if (in.values[0] == in.values[1]) return passed(in.values[0]);
  return warned(in.values[0], in.values[1]);
}

/// Whether two lists of CPUs have one in common; empty: one of them is no list.
std::optional<bool> meet(const std::string& one, const std::string& other) {
  const auto left = topology::parse_cpu_list(one);
  const auto right = topology::parse_cpu_list(other);
  if (!left || !right) return std::nullopt;
  return !topology::common(*left, *right).empty();
}

Answer interrupts_near(const Inputs& in) {
  const auto near = meet(in.values[0], in.values[1]);
  if (!near) return not_understood(in.values[0]);
  return *near ? passed(in.values[0]) : warned("CPUs " + in.values[0], "some of " + in.values[1]);
}

Answer runs_near(const Inputs& in) {
  const std::string allowed = topology::cpu_list(in.subject.facts->recording.allowed);
  if (allowed.empty())
    return {.verdict = Verdict::unknown, .remark = "where processes may run was not recorded"};
  const auto near = meet(allowed, in.values[0]);
  if (!near) return not_understood(in.values[0]);
  return *near ? passed(allowed) : warned("CPUs " + allowed, "some of " + in.values[0]);
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): rows of data
Checks cpu_checks() {
  return {
      {.name = "governor",
       .title = "CPU frequency governor",
       .reads = {"cpu/governors"},
       .expects = "performance on every CPU",
       .needs = bare_metal,
       .absent = "the kernel does not control the frequency",
       .judge = performs,
       .remedy = "cpupower frequency-set -g performance",
       .source = "OCI check_gpu_setup"},
      {.name = "idle-states",
       .title = "time to wake from the deepest idle state",
       .reads = {"cpu/idle-latency-us"},
       .expects = "at most 50 us",
       .needs = bare_metal,
       .absent = "the kernel does not control idle states",
       .judge = wakes_soon,
       .remedy = "cpupower idle-set -D 50",
       .source = "OCI check_gpu_setup; kernel admin-guide, cpuidle"},
      {.name = "cpus-online",
       .title = "set of CPUs online",
       .reads = {"devices/system/cpu/online", "devices/system/cpu/present"},
       .expects = "all that are present; the same on all hosts",
       .judge = all_online,
       .alike = Alike::hosts,
       .remedy = "lscpu; echo 1 > /sys/devices/system/cpu/cpuN/online",
       .source = "kernel ABI sysfs-devices-system-cpu"},
      {.name = "smt",
       .title = "state of hardware threads (SMT)",
       .reads = {"devices/system/cpu/smt/active"},
       .expects = "the same on all hosts",
       .absent = "the kernel does not report it",
       .alike = Alike::hosts,
       .remedy = "lscpu; set SMT in the firmware of the host",
       .source = "AMD CVS host_config"},
      {.name = "numa-balancing",
       .title = "NUMA balancing",
       .reads = {"proc/sys/kernel/numa_balancing"},
       .expects = "0",
       .needs = bare_metal,
       .absent = "the kernel has no NUMA balancing",
       .judge = [](const Inputs& in) { return is_word(in, "0"); },
       .remedy = "sysctl -w kernel.numa_balancing=0",
       .source = "kernel admin-guide, sysctl kernel: numa_balancing"},
      {.name = "zone-reclaim",
       .title = "zone reclaim",
       .reads = {"proc/sys/vm/zone_reclaim_mode"},
       .expects = "0",
       .absent = "the kernel has no zone reclaim",
       .judge = [](const Inputs& in) { return is_word(in, "0"); },
       .remedy = "sysctl -w vm.zone_reclaim_mode=0",
       .source = "kernel admin-guide, sysctl/vm"},
      {.name = "page-size",
       .title = "size of memory pages",
       .reads = {"kernel/mm/hugepages/hugepages-2048kB/free_hugepages",
                 "kernel/mm/transparent_hugepage/enabled"},
       .expects = "transparent huge pages, or reserved pages of 2 MiB; the same on all hosts",
       .judge = has_big_pages,
       .alike = Alike::hosts,
       .remedy = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
       .source = "Microsoft, SIGCOMM'16, 4.4: slow receiver"},
      {.name = "memory",
       .title = "memory",
       .reads = {"memory/total-kb"},
       .expects = "the same on all hosts, within 8 GiB",
       .judge = memory_size,
       .alike = Alike::hosts,
       .remedy = "dmidecode -t memory; look for a module that failed",
       .source = "Imbue config.json"},
      {.name = "memlock",
       .title = "limit of locked memory",
       .reads = {"process/memlock"},
       .expects = "unlimited, or at least 32 GiB",
       .judge = locks_enough,
       .remedy = "set 'memlock unlimited' in /etc/security/limits.d/, LimitMEMLOCK=infinity in "
                 "systemd, --ulimit memlock=-1 in containers",
       .source = "AMD CVS: 32 GB; OCI limits.j2"},
      {.name = "open-files",
       .title = "limit of open files",
       .reads = {"process/open-files"},
       .expects = "at least 4096",
       .judge = opens_enough,
       .remedy = "ulimit -n 65536; set 'nofile' in /etc/security/limits.d/",
       .source = "own value: MPI takes a descriptor for each connection"},
      {.name = "shared-memory",
       .title = "size of /dev/shm",
       .reads = {"process/shared-memory"},
       .expects = "at least 8 GiB",
       .judge = shares_enough,
       .remedy = "mount -o remount,size=50% /dev/shm; of a container: --shm-size=16g",
       .source = "AMD CVS: 8 GB"},
      {.name = "cgroup-memory",
       .title = "memory limit of its control group",
       .reads = {"process/cgroup-memory", "memory/total-kb"},
       .expects = "no limit, or half of the memory",
       .absent = "its control group has no memory controller",
       .judge = has_memory,
       .remedy = "raise MemoryMax of the service, or the memory limit of the pod",
       .source = "kernel admin-guide, cgroup-v2"},
      {.name = "irq-affinity",
       .title = "affinity of its interrupts",
       .of = Kind::device,
       .reads = {"pci/{pci}/irq-cpus", "bus/pci/devices/{pci}/local_cpulist"},
       .expects = "some are on the NUMA node of the NIC",
       .needs = hardware | pci,
       .absent = "it has no interrupts of its own",
       .judge = interrupts_near,
       .cause = Cause::numa_node,
       .remedy = "set_irq_affinity_cpulist.sh LIST {netdev}; stop irqbalance",
       .source = "kernel core-api, irq-affinity: smp_affinity_list"},
      {.name = "cpu-affinity",
       .title = "affinity of the process",
       .of = Kind::device,
       .reads = {"bus/pci/devices/{pci}/local_cpulist"},
       .expects = "some are on the NUMA node of the NIC",
       .needs = hardware | pci,
       .judge = runs_near,
       .cause = Cause::numa_node,
       .remedy = "railgauge topo --ranks N --rankfile FILE; or widen the cpuset of the job",
       .source = "Azure NHC pins ib_write_bw to the CPUs of the NIC; Hostping, NSDI 2023"},
  };
}

}  // namespace railgauge::doctor
