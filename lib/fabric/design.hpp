#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fabric/cables.hpp"
#include "fabric/sizing.hpp"
#include "json/members.hpp"

namespace railgauge::fabric {

/// What the seven steps start from.
struct Plan {
  Request request{};
  std::string workload = "training";  ///< one of workloads()
  Count gpus_per_host = 8;
  Count gpus_later = 0;  ///< in 18 months; 0: as many as now
  int pcie_generation = 5;
  int pcie_lanes = 16;                  ///< of a NIC
  std::string separation = "separate";  ///< of storage and management: one of separations()
  Layout layout{};
};

[[nodiscard]] const std::vector<std::string>& workloads();
[[nodiscard]] const std::vector<std::string>& separations();

/// One step of a design: what it takes, what comes out, by which rule, from which source.
struct Step {
  std::string title{};
  std::string inputs{};
  std::string result{};
  std::string rule{};
  std::string source{};

  RAILGAUGE_FIELDS(title, inputs, result, rule, source)
};

struct Design {
  Plan plan{};
  Fabric fabric{};
  std::vector<Step> steps{};  ///< seven
  std::vector<Cables> cables{};
  std::vector<std::string> remarks{};
};

/// Throws std::invalid_argument as sized() does.
[[nodiscard]] Design designed(const Plan& plan);

/// What a NIC's PCIe slot carries in each direction, in Gb/s, with packets of 256 bytes.
[[nodiscard]] double pcie_gbps(int generation, int lanes);

/// Rendered: the seven steps; railgauge/design/1; a bill of materials; a picture.
[[nodiscard]] std::string as_text(const Design& design);
[[nodiscard]] nlohmann::ordered_json as_json(const Design& design);
[[nodiscard]] std::string as_csv(const Design& design);
[[nodiscard]] std::string as_svg(const Design& design);

}  // namespace railgauge::fabric
