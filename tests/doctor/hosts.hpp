#pragma once

#include <string>
#include <vector>

#include "doctor/examination.hpp"

namespace railgauge::doctor {

/// What sets one driver's hosts apart from the others'.
struct Machine {
  std::string name{};    ///< "mlx5"
  std::string driver{};  ///< of PCI: "mlx5_core"; empty: a software device
  std::string device{};  ///< "mlx5_" of mlx5_0 and mlx5_1
  std::string model{};
  std::string link_layer = "Ethernet";
  bool vendor_files = false;  ///< of OFED, or the driver's own: board, ECN, buffers
  bool dcb = true;
  bool virtual_machine = false;
};

/// mlx5, bnxt_re, irdma, ionic, mana, efa, rxe, softroce
[[nodiscard]] const std::vector<Machine>& machines();
[[nodiscard]] const Machine& machine(const std::string& name);

/// A host with `nics` NICs on which nothing is wrong, as `doctor --record` would write it as root.
/// Device 0 is at 0000:11:00.0 and works through eth0.
[[nodiscard]] topology::Recording healthy(const Machine& machine, int number = 1, int nics = 2);

/// Hosts node1, node2, ...
[[nodiscard]] std::vector<topology::Recording> fleet(const Machine& machine, int hosts,
                                                     int nics = 2);

[[nodiscard]] Document examined(std::vector<topology::Recording> recordings,
                                const Expectations& wanted = {},
                                const std::vector<const Check*>& checks = {});

/// What a check said of all hosts.
[[nodiscard]] const CheckSummary& summary_of(const Document& examination, const std::string& check);

/// "memlock FAIL, mtu WARN": the checks with a verdict worse than SKIP.
[[nodiscard]] std::string troubles(const Document& examination);

}  // namespace railgauge::doctor
