// CUDA's driver.

#include "gpu/vendors.hpp"

namespace railgauge::gpu {
namespace {

// cuMemGetHandleForAddressRange, by which a NIC gets at a GPU's memory, came with it.
constexpr int kOldestVersion = 11070;
constexpr const char* kOldestDriver = "driver 515 (CUDA 11.7)";

constexpr int kDmaBufHandle = 1;  // CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD

// CUdevice_attribute
constexpr int kCudaMultiprocessors = 16;
constexpr int kFlushOptions = 117;    // bit 0: flush_remote_writes() works
constexpr int kWritesOrdering = 118;  // from kOrderedForOwner on, peers' writes need no flush
constexpr int kCudaDmaBufSupported = 124;
constexpr int kOrderedForOwner = 100;  // CU_GPU_DIRECT_RDMA_WRITES_ORDERING_OWNER

struct Cuda {
  Call<int*> version;  // 11070 is 11.7
  Call<int*, int, DeviceNumber> attribute;
  Call<void*, Address, std::size_t, int, unsigned long long> range_handle;
  Call<int, int> flush;  // target, scope
};

Cuda& cuda() {
  static Cuda functions;
  return functions;
}

Status export_range(Address memory, std::size_t bytes, int* file, std::uint64_t* offset) {
  *offset = 0;
  return cuda().range_handle(file, memory, bytes, kDmaBufHandle, 0);
}

Status cuda_properties(DeviceNumber device, Properties* found) {
  int exports = 0;
  int options = 0;
  int ordering = 0;
  Status status = kSuccess;
  const auto read = [&](int attribute, int& value) {
    if (status == kSuccess) status = cuda().attribute(&value, attribute, device);
  };
  read(kCudaMultiprocessors, found->multiprocessors);
  read(kCudaDmaBufSupported, exports);
  read(kFlushOptions, options);
  read(kWritesOrdering, ordering);
  found->exports_dma_bufs = exports != 0;
  found->needs_flush = (options & 1) != 0 && ordering < kOrderedForOwner;
  return status;
}

Status flush_by_driver(const Properties&) {
  constexpr int kCurrentContext = 0;
  return cuda().flush(kCurrentContext, kOrderedForOwner);
}

void check_version() {
  int version = 0;
  cuda().version(&version);
  if (version >= kOldestVersion) return;
  constexpr int kMajor = 1000;
  constexpr int kMinor = 10;
  throw Failure("the driver is of CUDA " + std::to_string(version / kMajor) + "." +
                std::to_string(version % kMajor / kMinor) + ", which exports no dma-buf; install " +
                kOldestDriver + " or later");
}

}  // namespace

Driver cuda_driver() {
  const Library library({"libcuda.so.1"}, kOldestDriver);
  Driver all = common_functions(library, Vendor::nvidia);
  library.find("cuDriverGetVersion", cuda().version);
  library.find("cuDeviceGetAttribute", cuda().attribute);
  library.find("cuMemGetHandleForAddressRange", cuda().range_handle);
  library.find("cuFlushGPUDirectRDMAWrites", cuda().flush);
  library.find("cuMemcpyAsync", all.copy_async);
  all.export_dma_buf = {&export_range, cuda().range_handle.name};
  all.properties = {&cuda_properties, cuda().attribute.name};
  all.flush_remote_writes = {&flush_by_driver, cuda().flush.name};
  all.kernels = [](DeviceNumber) { return std::string(ptx_kernels()); };
  check_version();
  const Status status = all.init(0);
  if (status == kSuccess) return all;
  throw Failure("cuInit: " + in_words(all, status) +
                "; see what nvidia-smi says, CUDA_VISIBLE_DEVICES, and the files /dev/nvidia*");
}

}  // namespace railgauge::gpu
