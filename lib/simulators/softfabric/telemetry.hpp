#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "softfabric/model.hpp"

namespace railgauge::softfabric {

/// All that a model counts, as `railgauge/fabric-counters/1`: one object per direction of a link,
/// and in it one per priority that is described or has been used.
nlohmann::ordered_json counters_of(const Model& model);

/// Of that, what tells of congestion, of priorities that were used: for those who ask every few
/// milliseconds, as the switches stand still while an answer is made.
nlohmann::ordered_json congestion_of(const Model& model);

/// All of it in Prometheus's text format.
std::string prometheus_of(const Model& model);

}  // namespace railgauge::softfabric
