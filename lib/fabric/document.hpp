#pragma once

#include <nlohmann/json_fwd.hpp>

#include "fabric/fabric.hpp"

namespace railgauge::fabric {

/// The parameters of a fabric, as a design (railgauge/design/1) has them.
[[nodiscard]] nlohmann::ordered_json parameters_of(const Fabric& fabric);

/// Every host, switch and link as railgauge/fabric/1, which launchers/fabric builds. Throws
/// std::invalid_argument for a fabric of more than kMostListedHosts: that is what the parameters
/// are for.
inline constexpr Count kMostListedHosts = 254;
[[nodiscard]] nlohmann::ordered_json listed(const Fabric& fabric);

/// The fabric of a document: of a design its parameters; of a railgauge/fabric/1 the regular
/// two-tier fabric that its links are. Throws std::runtime_error, one sentence, for another schema,
/// or for a list that is not regular, with the first node that differs.
[[nodiscard]] Fabric fabric_of(const nlohmann::ordered_json& document);

}  // namespace railgauge::fabric
