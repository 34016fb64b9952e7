#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/host_map.hpp"
#include "topology/rail.hpp"

namespace railgauge::topology {

/// Where ranks of a host belong.
enum class PlacementMode {
  rail,    // each on the NUMA node of the NIC that it drives
  spread,  // evenly over the NUMA nodes, wherever the NICs are
  none,    // wherever the scheduler puts them
};

/// "rail", "spread", "none"; empty for another word.
std::optional<PlacementMode> placement_mode(std::string_view word);

/// Where one rank belongs.
struct Placement {
  std::vector<int> rails{};  // that it drives, in ascending order
  CpuSet cpus{};             // that it is bound to; none: it is not bound
  int numa_node = -1;        // of all these cpus; -1: of several, or not bound
  int memory_node = -1;      // that its memory is bound to; -1: it is not bound
  std::string remark{};      // what falls short of the rule; "" if nothing
};

/// Places the ranks of a host by its map and its NICs in rail order only (NICs of one rail are its
/// planes, and a rank drives all of them), so that all ranks arrive
/// at the same result without communicating. Element i belongs to the i-th rank of the host.
/// - Rails, in every mode: with as many ranks as rails, rank i drives rail i. With fewer, each rank
///   drives several: as equal in number as possible, and on one NUMA node if possible. With more,
///   adjacent ranks share a rail: as equal in number as possible.
/// - NUMA node: that of most of its rails' NICs (rail); evenly over the nodes that have cpus, as
/// far
///   as each has cores, then hardware threads, of their own for all its ranks (spread).
/// - Cpus: an equal share of the node's cores that are allowed (host.allowed). All hardware threads
///   of a core go together. More ranks than cores share cores, but no hardware thread while there
///   are enough of them, on another node if need be; sharing is remarked on. If no cpu of the node
///   is allowed, or the node is not known: a share of all that are allowed, with a remark.
/// - Memory: that node's, if it has memory. Memory without cpus (HBM beside DRAM, a GPU's) is never
///   chosen: it is no place for ranks.
/// Throws std::invalid_argument if there are no ranks to place, or no cpus known.
std::vector<Placement> place(const HostMap& host, const std::vector<Nic>& rails, int ranks,
                             PlacementMode mode);

/// Adds a clause to what falls short of the rule.
void add_remark(Placement& placement, const std::string& remark);

/// The NUMA node that all of these cpus belong to; -1 if there is none.
int node_of(const HostMap& host, const CpuSet& cpus);

/// Reads a placement by the user: a line for each rank of the host,
///
///     0 rails=0,1 cpus=0-7 memory=0
///
/// with `memory` left out for memory that is not bound; # begins a comment. Throws
/// std::invalid_argument that names the line if a rank is missing or listed twice, a rail or node
/// does not exist, or a cpu is not allowed.
std::vector<Placement> read_placement(const std::string& text, const HostMap& host, int rails,
                                      int ranks);

/// The same from a file. Also throws std::invalid_argument if it cannot be read.
std::vector<Placement> load_placement(const std::string& path, const HostMap& host, int rails,
                                      int ranks);

/// A host of a rankfile: how mpirun knows it, what it is, and where its ranks belong.
struct RankfileHost {
  std::string name{};
  HostMap map{};
  std::vector<Placement> ranks{};
};

/// Open MPI's rankfile (mpirun(1), "Rankfiles") that binds as the placements do; ranks are counted
/// through the hosts in their order. Slots are cores by their logical numbers, counted as mpirun
/// does among those that are allowed; hardware threads of a core are not told apart. Throws
/// std::invalid_argument if a rank is not bound: a rankfile cannot say so.
std::string rankfile(const std::vector<RankfileHost>& hosts);

}  // namespace railgauge::topology
