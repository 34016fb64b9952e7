#pragma once

#include <cstdint>

namespace railgauge::runner {

/// Whose names and labels metrics have.
enum class MetricsNames : std::uint8_t {
  railgauge,       ///< own_metrics.hpp
  nccl_inspector,  ///< inspector_metrics.hpp
};

}  // namespace railgauge::runner
