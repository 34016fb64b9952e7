#pragma once

#include <memory>

#include "experiments/collective/data.hpp"
#include "gpu/device.hpp"
#include "reduce/element_type.hpp"

namespace railgauge::runner {

/// Who combines data that are in a GPU's memory.
enum class GpuReduce : std::uint8_t {
  gpu,
  host,  // this processor, to and from whose memory they are copied
  none   // nobody: data are only moved
};

struct GpuDataSettings {
  GpuReduce reduce = GpuReduce::gpu;
  reduce::ElementType type = reduce::ElementType::float32;
  reduce::Operator op = reduce::Operator::sum;
  std::uint32_t ranks = 1;
  std::size_t chunk_bytes = 0;  // the most that is combined at once
};

/// Data in memory of `device`, which outlives it. Throws gpu::Failure.
[[nodiscard]] std::unique_ptr<Data> data_on_gpu(const gpu::Device& device,
                                                const GpuDataSettings& settings);

}  // namespace railgauge::runner
