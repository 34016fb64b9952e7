#pragma once

// lib/simulators/softroce/dmabuf finds the memory behind a DMA-buf: mapped, or a GPU's, which
// its driver copies. It must not know packets, queue pairs or the engine.

#include <cstddef>
#include <cstdint>

namespace railgauge::softroce {

/// The functions of libcuda.so.1 that copy memory, by the types of its ABI (cuda.h), which are
/// those of HIP 6.0 and later, too (libamdhip64.so): they are looked for when the program runs, and
/// nothing of CUDA or HIP is needed to build. 0 is success.
struct GpuDriver {
  using Context = void*;
  using Stream = void*;
  using Address = std::uint64_t;

  static constexpr int kDeinitialized = 4;     // CUDA_ERROR_DEINITIALIZED
  static constexpr int kContext = 1;           // CU_POINTER_ATTRIBUTE_CONTEXT
  static constexpr int kMemoryType = 2;        // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
  static constexpr int kDeviceOrdinal = 9;     // CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
  static constexpr unsigned kDeviceType = 2;   // CU_MEMORYTYPE_DEVICE
  static constexpr unsigned kPortable = 1;     // CU_MEMHOSTALLOC_PORTABLE
  static constexpr unsigned kNonBlocking = 1;  // CU_STREAM_NON_BLOCKING

  int (*pointer_attribute)(void* value, int attribute, Address) = nullptr;
  int (*current_context)(Context*) = nullptr;
  int (*set_context)(Context) = nullptr;
  int (*allocate_host)(void** address, std::size_t bytes, unsigned flags) = nullptr;
  int (*free_host)(void* address) = nullptr;
  int (*create_stream)(Stream*, unsigned flags) = nullptr;
  int (*destroy_stream)(Stream) = nullptr;
  int (*synchronize)(Stream) = nullptr;
  int (*to_host)(void* to, Address from, std::size_t bytes, Stream) = nullptr;
  int (*to_device)(Address to, const void* from, std::size_t bytes, Stream) = nullptr;
  // Null in a driver without them.
  int (*retain_primary_context)(Context*, int device) = nullptr;
  int (*release_primary_context)(int device) = nullptr;
  int (*error_text)(int error, const char** text) = nullptr;

  /// "an illegal memory access was encountered"
  const char* text_of(int error) const;
};

/// The driver that has GPU memory at this address, of those that this process has loaded; null if
/// none has. Any thread.
const GpuDriver* driver_of(GpuDriver::Address address);

/// Makes a context current to this thread while it lives, for the driver's functions that need one.
class CurrentContext {
 public:
  CurrentContext(const GpuDriver& driver, GpuDriver::Context context);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  int status() const { return status_; }  ///< 0, or the driver's error

 private:
  const GpuDriver& driver_;
  GpuDriver::Context before_ = nullptr;
  int status_;
};

}  // namespace railgauge::softroce
