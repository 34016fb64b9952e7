#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/members.hpp"

namespace railgauge::results {

/// A host that takes part, and the software that its figures depend on.
struct Host {
  std::string name{};
  std::string kernel{};      // release: "6.1.0-42-amd64"
  std::string machine{};     // "x86_64"
  std::string processor{};   // "AMD EPYC 7763 64-Core Processor"; empty if it does not tell
  std::string libibverbs{};  // version of the library that was loaded: "1.14.44.0"
  std::string mpi{};         // "Open MPI v4.1.4"
  /// What the cpus of its ranks copy, read and written (measure/copy_rate.hpp); with hardware only.
  std::optional<double> memory_gigabytes_per_second{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((name), kernel, machine, processor, libibverbs, mpi);
    visit.if_any("memory_gigabytes_per_second", self.memory_gigabytes_per_second);
  }
};

/// What a device is made of, and so what figures measured on it are about.
enum class DeviceKind : std::uint8_t {
  hardware,
  software,          // softroce, rdma_rxe: processors play the NIC
  software_shortcut  // and data between processes of one host are copied, without packets
};

/// "hardware", "software", "software-shortcut".
std::string_view word(DeviceKind kind);

/// One rail of one rank, or one plane of a rail that has several: the port it sends and receives
/// through. The data of a rail are striped over its planes.
struct RankRail {
  int rail = 0;
  std::string device{};  // "mlx5_0"
  int port = 1;
  std::string netdev{};
  std::string address{};  // IPv4 or IPv6
  std::string gid{};
  int gid_index = 0;
  int mtu_bytes = 0;  // active path MTU of RoCE, not the network device's
  double link_gigabits_per_second = 0;
  DeviceKind kind = DeviceKind::hardware;
  std::string firmware{};  // version, as the device tells it
  int numa_node = -1;      // that it is attached to; -1: the host does not tell
  int plane = 0;           // of its rail

  RAILGAUGE_FIELDS((rail), plane, (device), (port), netdev, address, gid, gid_index, mtu_bytes,
                   (link_gigabits_per_second), kind, firmware, numa_node)
};

/// Where one rank was put on its host (--placement), and whether it stayed there.
struct RankPlacement {
  std::string mode{};        // "rail", "spread", "none", "file"
  std::vector<int> rails{};  // whose NICs it is local to; it may drive others too
  std::string cpus{};        // that it was bound to, as the kernel lists them; "": it was not bound
  int memory_node = -1;      // NUMA node that its memory was bound to; -1: it was not
  std::optional<bool> verified{};  // threads and buffers were found there; empty: not looked at yet
  std::string remark{};            // what is not as one would wish; "" if nothing

  RAILGAUGE_FIELDS(mode, rails, cpus, memory_node, verified, remark)
};

/// A GPU in whose memory a rank has data, and which rail they go over: of collectives the first of
/// its own, of pairs each.
struct RankGpu {
  int rail = 0;
  std::string name{};         // "NVIDIA H100 80GB HBM3"
  std::string pci_address{};  // "0000:1b:00.0"
  std::string nearness{};     // to the NIC of the rail: "same switch", "same root complex",
                              // "across sockets", "not known"

  RAILGAUGE_FIELDS(rail, name, pci_address, nearness)
};

/// Where one rank runs.
struct Rank {
  int rank = 0;
  std::string host{};
  int pid = 0;
  int local_rank = 0;  // its position among the ranks of its host
  int numa_node = -1;  // that it ran on when it had been placed; -1: the host does not tell
  RankPlacement placement{};
  std::vector<RankRail> rails{};               // by rail, then plane
  std::optional<std::vector<RankGpu>> gpus{};  // if its data are in memory of any

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((rank), (host), pid, local_rank, numa_node, placement, rails);
    visit.if_any("gpus", self.gpus);
  }
};

/// Whether any of their rails is a software device.
[[nodiscard]] bool on_software(const std::vector<Rank>& ranks);

}  // namespace railgauge::results
