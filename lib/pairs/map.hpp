#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/endpoint.hpp"
#include "results/pairs.hpp"

namespace railgauge::pairs {

/// The paths of one mode as lines and columns, for heat maps and pictures: places in `nics`, in
/// which the NICs of a host are adjacent.
class Map {
 public:
  struct Cell {
    bool works = false;
    double share = 0;    ///< of the median speed of those that it is compared with
    std::string text{};  ///< its figures, or why it does not work
  };

  explicit Map(std::vector<results::Endpoint> nics);

  [[nodiscard]] const std::vector<results::Endpoint>& nics() const { return nics_; }
  /// Whether a NIC is the first of its host.
  [[nodiscard]] bool begins_host(std::size_t nic) const {
    return nic == 0 || nics_[nic].host != nics_[nic - 1].host;
  }
  /// Empty: not tested, as two NICs of one host are not, or it lacks_answers().
  [[nodiscard]] const std::optional<Cell>& at(std::size_t from, std::size_t to) const {
    return cells_[from * nics_.size() + to];
  }
  void set(std::size_t from, std::size_t to, Cell cell) {
    cells_[from * nics_.size() + to] = std::move(cell);
  }
  /// Whether any rail has several planes.
  [[nodiscard]] bool has_planes() const;

 private:
  std::vector<results::Endpoint> nics_;
  std::vector<std::optional<Cell>> cells_;
};

/// As many lines and columns as fit on a screen.
inline constexpr std::size_t kMostOnMap = 64;

/// More than `most` NICs are shown by host, each pair of hosts by its worst path, and of more hosts
/// those with the worst paths, worst first. Empty: there are no rows of that mode.
[[nodiscard]] std::optional<Map> map_of(const std::vector<results::PairRow>& rows,
                                        const std::string& mode, std::size_t most = kMostOnMap);

/// The modes in which there are rows, in the order of their first.
[[nodiscard]] std::vector<std::string> modes_of(const std::vector<results::PairRow>& rows);

/// The rows that are shown first: failed, then in doubt, then slowest; so many at most.
[[nodiscard]] std::vector<const results::PairRow*> worst_of(
    const std::vector<results::PairRow>& rows, std::size_t most);

}  // namespace railgauge::pairs
