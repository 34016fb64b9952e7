#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/pci.hpp"

namespace railgauge::topology {

/// A GPU, as far as PCI knows it.
struct Gpu {
  std::string address{};               // "0000:1b:00.0"
  std::vector<std::string> bridges{};  // above it, from the root port down
  Locality locality{};
};

/// Those that hwloc has seen, by address: of NVIDIA and AMD, as servers have other displays, too.
[[nodiscard]] std::vector<Gpu> gpus_of(const HwlocMap& hwloc);

/// How far the data of a GPU travel inside the host to another device, the shortest way first.
enum class Nearness : std::uint8_t {
  same_switch,  // below one root port: a PCI switch connects them
  same_root,    // of one NUMA node: through its root complex
  across,       // from one NUMA node to another
  unknown
};

/// "same switch", "same root complex", "across sockets", "not known".
[[nodiscard]] std::string_view word(Nearness nearness);

[[nodiscard]] Nearness nearness(const Gpu& gpu, const PciFunction& device,
                                const Locality& locality);

}  // namespace railgauge::topology
