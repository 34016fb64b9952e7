#include "gpu/vendors.hpp"

// The files as they are, ended by a zero.
asm(".pushsection .rodata\n"
    ".global railgauge_gpu_ptx\n"
    "railgauge_gpu_ptx:\n"
    ".incbin \"" RAILGAUGE_PTX_KERNELS
    "\"\n"
    ".byte 0\n"
    ".global railgauge_gpu_hip\n"
    "railgauge_gpu_hip:\n"
    ".incbin \"" RAILGAUGE_HIP_KERNELS
    "\"\n"
    ".byte 0\n"
    ".popsection\n");

// NOLINTBEGIN(readability-identifier-naming): the assembler's
extern "C" const char railgauge_gpu_ptx[];
extern "C" const char railgauge_gpu_hip[];
// NOLINTEND(readability-identifier-naming)

namespace railgauge::gpu {

const char* ptx_kernels() {
  return railgauge_gpu_ptx;
}

const char* hip_kernels() {
  return railgauge_gpu_hip;
}

}  // namespace railgauge::gpu
