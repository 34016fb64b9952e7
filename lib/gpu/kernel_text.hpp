#pragma once

namespace railgauge::gpu {

/// kernels.ptx, ended by a zero.
[[nodiscard]] const char* ptx_kernels();

/// kernels.cu with all that it includes, for hiprtc; ended by a zero.
[[nodiscard]] const char* hip_kernels();

}  // namespace railgauge::gpu
