#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/report.hpp"

namespace railgauge::topology {

/// What stands below each other in the picture of a host: a port with the bridges above it.
struct PictureColumn {
  std::string name{};                  // "mlx5_0:1"
  std::vector<std::string> bridges{};  // from the root port down
  RailPlane place{};                   // rail -1: it is none
  std::vector<std::string> lines{};    // what it is
  std::vector<std::string> causes{};   // why it is wrong, or no rail; lines of a sentence
  bool alarming = false;               // whether that is to be put right
  std::string address{};               // of PCI
};

/// A NUMA node, or as much of one as there is room for beside each other.
struct PicturePart {
  std::string title{};
  std::string subtitle{};
  std::vector<PictureColumn> columns{};
  std::vector<std::size_t> ranks{};  // of HostReport::ranks
};

/// How many ports a part has room for: two, or as many as it has.
std::size_t width_of(const PicturePart& part);

/// What stands beside each other: at most kMostColumns ports.
using PictureBand = std::vector<PicturePart>;
constexpr std::size_t kMostColumns = 8;

/// Letters of a line below a port.
constexpr std::size_t kCauseWidth = 29;

/// A host as bands of a picture, from top to bottom: nodes by number, then ports of no node, then
/// NICs that are not there. In a node, ports with a bridge in common stand beside each other, else
/// they are in the order of rails. Memory without cpus is named with the node that it stands
/// beside.
std::vector<PictureBand> picture_bands(const HostReport& host);

/// What is wrong with the host that is not of one of its ports.
std::vector<std::string> wrong_with_no_port(const HostReport& host);

}  // namespace railgauge::topology
