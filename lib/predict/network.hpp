#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"

namespace railgauge::predict {

/// How switches choose among equal paths.
enum class Balance {
  ecmp,             ///< a hash of each queue pair, at every switch
  spray,            ///< every packet: all paths alike
  pinned,           ///< by the destination's place under its leaf; what a dead spine had moves on
  adaptive,         ///< leaves fill their uplinks evenly; downlinks follow from it
  ecmp_queue_pair,  ///< the same hash, whatever UDP source ports queue pairs have
  wcmp,             ///< a hash weighted by rates, which are alike in a regular fabric
  flowlet,          ///< a flow without gaps keeps the path that its hash gave it
};

/// Whether a flow's path follows from its hash.
[[nodiscard]] constexpr bool hashes(Balance balance) {
  return balance != Balance::spray && balance != Balance::pinned && balance != Balance::adaptive;
}

struct Routing {
  Balance balance = Balance::ecmp;
  std::uint32_t queue_pairs = 1;  ///< of two ranks that exchange data
  fabric::Count dead_spines = 0;  ///< of the first spines of the fabric
  std::uint64_t seed = 1;
  int mtu_bytes = 4096;
  double nvlink_bytes_per_us = 450'000;  ///< of a GPU, each direction
  bool inside_by_nics = false;           ///< ranks of a host exchange data by NICs, too
};

/// Where a rank's data leave its host.
struct Endpoint {
  std::uint32_t host = 0;
  std::uint32_t nic = 0;
  std::uint32_t gpu = 0;  ///< of all hosts
};

enum class LinkKind { nvlink, nic, leaf, core };
[[nodiscard]] const char* word(LinkKind kind);

/// What a NIC carries without headers.
[[nodiscard]] double nic_bytes_per_us(const fabric::Fabric& fabric, int mtu_bytes);

/// The directed links of a fabric by number, and the paths of flows over them. Planes are alike,
/// so that one stands for all: the links of a NIC have the rate of all its planes. With spray all
/// uplinks of a switch are one link.
class Network {
 public:
  /// Throws std::invalid_argument if as many spines are dead as a leaf has.
  Network(const fabric::Fabric& fabric, fabric::Count gpus_per_host, const Routing& routing);

  /// The links of queue pair `number` between two ranks are put at the end of `links`.
  void path(const Endpoint& from, const Endpoint& to, std::uint32_t number,
            std::vector<std::uint32_t>& links);
  /// Other hashes: the `number`-th seed after the first.
  void reseed(std::uint64_t number) { seed_ = routing_.seed + number; }
  /// Of the first bytes again: forgets what adaptive leaves have sent.
  void begin_step();

  /// Flows that a message becomes.
  [[nodiscard]] std::uint32_t flows_of_message() const;
  /// Without headers.
  [[nodiscard]] const std::vector<double>& bytes_per_us() const { return bytes_per_us_; }
  [[nodiscard]] LinkKind kind_of(std::uint32_t link) const;
  /// "leaf0-3 uplink 17 (to spine17)".
  [[nodiscard]] std::string name_of(std::uint32_t link) const;
  [[nodiscard]] bool crosses(const Endpoint& from, const Endpoint& to) const;
  [[nodiscard]] fabric::Count leaf_of(const Endpoint& end) const;
  /// Of a leaf, dead spines left out; with spray, too.
  [[nodiscard]] double alive_uplinks() const;
  [[nodiscard]] double uplink_bytes_per_us() const { return bytes_per_us_[leaf_up_]; }
  [[nodiscard]] const fabric::Fabric& fabric() const { return fabric_; }
  [[nodiscard]] const Routing& routing() const { return routing_; }

 private:
  using Index = std::uint32_t;

  void add(Index& first, fabric::Count links, double bytes_per_us);
  void add_switch_links();
  void slow_down_for_dead_spines();
  [[nodiscard]] Index nic_link(Index first, const Endpoint& end) const;
  [[nodiscard]] Index chosen(const Endpoint& from, const Endpoint& to, std::uint64_t hash);
  [[nodiscard]] fabric::Count dead_between(fabric::Count leaf, fabric::Count other) const;
  [[nodiscard]] fabric::Count spine_set(fabric::Count leaf) const;
  void add_core_path(fabric::Count from, fabric::Count to, Index uplink, std::uint64_t hash,
                     std::vector<std::uint32_t>& links) const;

  fabric::Fabric fabric_;
  fabric::Parts parts_;
  Routing routing_;
  std::uint64_t seed_ = 0;
  Index uplinks_ = 0;    // links that a leaf has here
  Index spine_ups_ = 0;  // links that a spine set has here, per spine
  Index spines_ = 0;     // of a set, as links here tell them apart
  Index to_pod_ = 0;     // links of a spine to each other pod, if these are joined directly
  Index gpu_out_ = 0, gpu_in_ = 0, nic_out_ = 0, nic_in_ = 0;
  Index leaf_up_ = 0, leaf_down_ = 0, spine_up_ = 0, spine_down_ = 0;
  std::vector<double> bytes_per_us_{};
  std::vector<Index> turn_{};  // of each leaf's uplinks
};

}  // namespace railgauge::predict
