#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "softroce/device/shadow.hpp"

namespace railgauge::softroce {

/// A shadow of GPU memory [address, address + length), in pinned host memory. Null, and `error`
/// says why: EOPNOTSUPP if that is not memory of a GPU of this process; ENOMEM if the driver has no
/// more, with a sentence on stderr.
std::unique_ptr<Shadow> gpu_shadow(std::uint64_t address, std::size_t length, int& error);

}  // namespace railgauge::softroce
