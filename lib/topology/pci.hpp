#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topology/recording.hpp"

namespace railgauge::topology {

/// Speed and width of a PCI Express link. 0: not known, as of virtual functions and devices in a
/// virtual machine.
struct PciLink {
  double gigatransfers_per_second = 0;  // of a lane: 16 for PCIe 4.0, 32 for 5.0
  int lanes = 0;

  [[nodiscard]] bool known() const { return gigatransfers_per_second > 0 && lanes > 0; }
  /// What it carries each way, headers included: without the line code, which is 8b/10b up to
  /// 5 GT/s, 128b/130b up to 32 GT/s, and none above (PCI Express Base 6.0, 4.2).
  [[nodiscard]] double gigabits_per_second() const;
};

/// "x16 32 GT/s"; "" if it is not known.
std::string to_string(const PciLink& link);

/// A function of a PCI device, where it is, and what its link does.
struct PciFunction {
  std::string address{};               // "0000:17:00.0"; "" for what is not on PCI
  std::vector<std::string> bridges{};  // above it, from the root port down
  PciLink link{};                      // as it is now
  PciLink device_most{};               // what the device can do
  PciLink slot_most{};                 // what the bridge above it can do
  std::string driver{};
  std::string physical_function{};  // the address of it, if this is a virtual one (SR-IOV)

  /// What device and slot can both do.
  [[nodiscard]] PciLink most() const;
  /// Whether the link is slower or narrower than both could.
  [[nodiscard]] bool degraded() const;
};

/// The PCI addresses in a path below /sys/devices, from the root port to the device:
/// "devices/pci0000:15/0000:15:01.0/0000:16:00.0" has two.
std::vector<std::string> pci_addresses(std::string_view device_path);

/// The function that a device link leads to, as recorded. A virtual function has its physical
/// function's links: the wires are the same, and its own are not told.
PciFunction pci_function(const Recording& recording, const std::string& device_path);

}  // namespace railgauge::topology
