#pragma once

// lib/reachability holds which NIC of a fabric reaches which other: the order in which pairs are
// tested, the results, what is wrong with them, and their pictures. It must not know verbs, MPI, or
// how anything was measured.

#include <optional>
#include <string>
#include <vector>

namespace railgauge::reachability {

/// A port of a host, and the rail it is on.
struct Nic {
  std::string host{};
  int rail = 0;
  int plane = 0;         // of the rail
  std::string device{};  // "mlx5_0"
  int port = 1;
  std::string netdev{};
  std::string address{};
  double link_gigabits_per_second = 0;  // 0: not known
  bool software = false;                // the results then do not represent hardware
};

/// "node3 rail 1 (mlx5_1, 10.1.0.3)", or "node3 rail 1 plane 2 (...)" where rails have planes.
std::string name_of(const Nic& nic, bool planes);

/// The result of one NIC's sending to another.
struct Reach {
  bool reached = false;             // messages arrived both ways, and packets of every size
  double latency_us = 0;            // half a round trip of 8 bytes, the median; if reached
  double gigabytes_per_second = 0;  // of large writes; 0 if they did not all arrive
  std::string reason{};             // why not, in a sentence; empty if all went well
  double ran_share = 1;             // of the time of the writes: both ends ran; estimated
  std::string figures{};            // what a picture shows in place of these; empty: these
};

/// Every NIC to every other: rows and columns are indices into `nics`, in which the NICs of a host
/// are adjacent.
class Matrix {
 public:
  explicit Matrix(std::vector<Nic> nics);

  [[nodiscard]] const std::vector<Nic>& nics() const { return nics_; }
  /// Whether a NIC is the first of its host.
  [[nodiscard]] bool begins_host(std::size_t nic) const {
    return nic == 0 || nics_[nic].host != nics_[nic - 1].host;
  }
  /// Empty: not tested, as two NICs of one host are not.
  [[nodiscard]] const std::optional<Reach>& at(std::size_t from, std::size_t to) const {
    return cells_[from * nics_.size() + to];
  }
  /// Whether two NICs are on one plane of one rail, and so have to reach each other: planes are
  /// networks of their own.
  [[nodiscard]] bool same_rail(std::size_t from, std::size_t to) const {
    return nics_[from].rail == nics_[to].rail && nics_[from].plane == nics_[to].plane;
  }
  /// Whether any rail has several planes.
  [[nodiscard]] bool has_planes() const;
  /// name_of() the NIC at that place.
  [[nodiscard]] std::string name(std::size_t nic) const {
    return name_of(nics_[nic], has_planes());
  }
  /// Of several attempts the best counts: disturbances make a measurement slower, never faster. Of
  /// some that are as good, one whose ends ran for longer says more of the path: its ran_share
  /// does.
  void add(std::size_t from, std::size_t to, const Reach& reach);

 private:
  std::vector<Nic> nics_;
  std::vector<std::optional<Reach>> cells_;
};

/// All pairs on one plane of one rail, or all that cross; each direction counts by itself.
struct Kind {
  bool same_rail = true;
  int asked = 0;  // tested
  int reached = 0;
  double median_gigabytes_per_second = 0;  // of those reached; 0 if there are none
};

Kind kind_of(const Matrix& matrix, bool same_rail);

}  // namespace railgauge::reachability
