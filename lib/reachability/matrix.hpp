#pragma once

// This folder holds which NIC of a fabric reaches which other: in what order they are asked, what
// came of it, what speaks against it, and its pictures. It must not know verbs, MPI, or how
// anything was measured.

#include <optional>
#include <string>
#include <vector>

namespace railgauge::reachability {

/// A port of a host, and the rail it is on.
struct Nic {
  std::string host{};
  int rail = 0;
  std::string device{};  // "mlx5_0"
  int port = 1;
  std::string netdev{};
  std::string address{};
  double link_gigabits_per_second = 0;  // 0: not known
  bool software = false;                // what is measured says nothing about hardware then
};

/// "node3 rail 1 (mlx5_1, 10.1.0.3)"
std::string name_of(const Nic& nic);

/// What came of one NIC's sending to another.
struct Reach {
  bool reached = false;             // messages went there and back
  double latency_us = 0;            // half a round trip of 8 bytes, the median; if reached
  double gigabytes_per_second = 0;  // of large writes; 0 if they did not all arrive
  std::string reason{};             // why not, in a sentence; empty if all went well
};

/// Every NIC towards every other: row and column are places in `nics`, which has the NICs of one
/// host one after the other.
class Matrix {
 public:
  explicit Matrix(std::vector<Nic> nics);

  [[nodiscard]] const std::vector<Nic>& nics() const { return nics_; }
  /// Empty: not asked, as two NICs of one host are not.
  [[nodiscard]] const std::optional<Reach>& at(std::size_t from, std::size_t to) const {
    return cells_[from * nics_.size() + to];
  }
  [[nodiscard]] bool same_rail(std::size_t from, std::size_t to) const {
    return nics_[from].rail == nics_[to].rail;
  }
  /// Of several attempts the best counts: what disturbs a measurement makes it slower, never
  /// quicker.
  void add(std::size_t from, std::size_t to, const Reach& reach);

 private:
  std::vector<Nic> nics_;
  std::vector<std::optional<Reach>> cells_;
};

/// All pairs that stay on their rail, or all that cross, each direction by itself.
struct Kind {
  bool same_rail = true;
  int asked = 0;
  int reached = 0;
  double median_gigabytes_per_second = 0;  // of those reached; 0 if there are none
};

Kind kind_of(const Matrix& matrix, bool same_rail);

}  // namespace railgauge::reachability
