// HIP's names for what fake_gpu.cpp has, and what HIP has otherwise.

#define SAME(hip, cuda) __attribute__((alias(#cuda))) decltype(cuda) hip
SAME(hipInit, cuInit);
SAME(hipGetDeviceCount, cuDeviceGetCount);
SAME(hipDeviceGet, cuDeviceGet);
SAME(hipDeviceGetName, cuDeviceGetName);
SAME(hipDeviceGetPCIBusId, cuDeviceGetPCIBusId);
SAME(hipDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain);
SAME(hipDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);
SAME(hipCtxSetCurrent, cuCtxSetCurrent);
SAME(hipCtxGetCurrent, cuCtxGetCurrent);
SAME(hipMalloc, cuMemAlloc_v2);
SAME(hipFree, cuMemFree_v2);
SAME(hipHostMalloc, cuMemHostAlloc);
SAME(hipHostFree, cuMemFreeHost);
SAME(hipPointerSetAttribute, cuPointerSetAttribute);
SAME(hipHostRegister, cuMemHostRegister_v2);
SAME(hipHostUnregister, cuMemHostUnregister);
SAME(hipHostGetDevicePointer, cuMemHostGetDevicePointer_v2);
SAME(hipMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2);
SAME(hipMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2);
SAME(hipMemsetD8Async, cuMemsetD8Async);
SAME(hipStreamCreateWithFlags, cuStreamCreate);
SAME(hipStreamDestroy, cuStreamDestroy_v2);
SAME(hipStreamSynchronize, cuStreamSynchronize);
SAME(hipStreamQuery, cuStreamQuery);
SAME(hipEventCreateWithFlags, cuEventCreate);
SAME(hipEventDestroy, cuEventDestroy_v2);
SAME(hipEventRecord, cuEventRecord);
SAME(hipEventQuery, cuEventQuery);
SAME(hipEventElapsedTime, cuEventElapsedTime);
SAME(hipModuleLoadData, cuModuleLoadData);
SAME(hipModuleUnload, cuModuleUnload);
SAME(hipModuleGetFunction, cuModuleGetFunction);
SAME(hipModuleLaunchKernel, cuLaunchKernel);
SAME(hipDrvGetErrorString, cuGetErrorString);
#undef SAME

/// Without HIP_POINTER_ATTRIBUTE_CONTEXT.
Status hipPointerGetAttribute(void* value, int attribute, std::uint64_t memory) {
  return attribute == 1 ? kInvalidValue : cuPointerGetAttribute(value, attribute, memory);
}

Status hipMemcpyAsync(std::uint64_t to, std::uint64_t from, std::size_t bytes, int kind,
                      void* stream) {
  constexpr int kDefault = 4;
  return kind == kDefault ? cuMemcpyAsync(to, from, bytes, stream) : kInvalidValue;
}

Status hipDeviceGetAttribute(void* value, int attribute, int) {
  static std::uint32_t flush_register = 0;
  std::uint32_t* const flush = habit("flush", "") == "needed" ? &flush_register : nullptr;
  const int multiprocessors = 4;
  if (attribute == 63) std::memcpy(value, &multiprocessors, sizeof multiprocessors);
  if (attribute == 10005) std::memcpy(value, &flush, sizeof flush);
  return attribute == 63 || attribute == 10005 ? kSuccess : kInvalidValue;
}

Status hipGetDevicePropertiesR0600(void* properties, int device) {
  constexpr int kBytes = 1472;
  constexpr int kArchitecture = 1160;
  std::memset(properties, 0, kBytes);
  cuDeviceGetName(static_cast<char*>(properties), kArchitecture, device);
  constexpr char kName90a[] = "gfx90a:sramecc+:xnack-";
  std::memcpy(static_cast<char*>(properties) + kArchitecture, kName90a, sizeof kName90a);
  return kSuccess;
}

/// libhsa-runtime64.so.1 is this library, too.
Status hsa_system_get_info(int what, void* value) {
  const bool exports = habit("dma-buf", "on") != "off";
  if (what == 0x204) std::memcpy(value, &exports, sizeof exports);
  return what == 0x204 ? kSuccess : 4097;  // HSA_STATUS_ERROR_INVALID_ARGUMENT
}

Status hsa_amd_portable_export_dmabuf(std::uint64_t memory, std::size_t bytes, int* file,
                                      std::uint64_t* offset) {
  *offset = kBefore;
  return cuMemGetHandleForAddressRange(file, memory, bytes, 1, 0);
}
