#pragma once

#include <map>
#include <string>
#include <vector>

namespace railgauge::doctor {

/// The memory of a pluggable module: its lower 128 bytes, and of its upper ones those of some
/// pages, 128 bytes each.
struct ModuleMemory {
  std::string lower{};
  std::map<int, std::string> upper{};
};

/// Pages in which its monitors and their limits are, by its lower bytes: SFF-8636 (QSFP28) or CMIS
/// (QSFP-DD, OSFP). Empty: it has none, as a copper cable, or is of another kind.
[[nodiscard]] std::vector<int> pages_wanted(const std::string& lower);

/// What it measures, with the limits from which on it raises an alarm itself: temperature ("45.5
/// within -5 75", degrees), rx-power and tx-power (of each lane in use, dBm). What it does not
/// measure is missing. A pure function.
[[nodiscard]] std::map<std::string, std::string> optics_of(const ModuleMemory& memory);

}  // namespace railgauge::doctor
