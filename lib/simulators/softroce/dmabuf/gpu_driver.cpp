#include "softroce/dmabuf/gpu_driver.hpp"

#include <dlfcn.h>

#include <atomic>
#include <memory>

namespace railgauge::softroce {

namespace {

template <class Function>
bool find(void* library, const char* name, Function*& out) {
  out = reinterpret_cast<Function*>(dlsym(library, name));
  return out != nullptr;
}

enum class Vendor { nvidia, amd };

std::unique_ptr<const GpuDriver> found_in(void* library, Vendor vendor) {
  auto driver = std::make_unique<GpuDriver>();
  const auto has = [&](const char* cuda, const char* hip, auto& function) {
    return find(library, vendor == Vendor::nvidia ? cuda : hip, function);
  };
  has("cuDevicePrimaryCtxRetain", "hipDevicePrimaryCtxRetain", driver->retain_primary_context);
  has("cuDevicePrimaryCtxRelease_v2", "hipDevicePrimaryCtxRelease",
      driver->release_primary_context);
  has("cuGetErrorString", "hipDrvGetErrorString", driver->error_text);
  const bool all =
      has("cuPointerGetAttribute", "hipPointerGetAttribute", driver->pointer_attribute) &&
      has("cuCtxGetCurrent", "hipCtxGetCurrent", driver->current_context) &&
      has("cuCtxSetCurrent", "hipCtxSetCurrent", driver->set_context) &&
      has("cuMemHostAlloc", "hipHostMalloc", driver->allocate_host) &&
      has("cuMemFreeHost", "hipHostFree", driver->free_host) &&
      has("cuStreamCreate", "hipStreamCreateWithFlags", driver->create_stream) &&
      has("cuStreamDestroy_v2", "hipStreamDestroy", driver->destroy_stream) &&
      has("cuStreamSynchronize", "hipStreamSynchronize", driver->synchronize) &&
      has("cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync", driver->to_host) &&
      has("cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync", driver->to_device);
  return all ? std::move(driver) : nullptr;
}

/// A driver's library, once this process has loaded it.
struct Known {
  const char* library;
  Vendor vendor;
  std::atomic<const GpuDriver*> driver = nullptr;
};

/// Never deleted: shadows use them until the process ends.
const GpuDriver* driver_in(Known& known) {
  if (const GpuDriver* driver = known.driver.load()) return driver;
  void* const library = dlopen(known.library, RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  auto driver = found_in(library, known.vendor);
  const GpuDriver* other = nullptr;
  // Of two threads one is first.
  if (driver && known.driver.compare_exchange_strong(other, driver.get())) return driver.release();
  return other;
}

}  // namespace

const char* GpuDriver::text_of(int error) const {
  const char* text = nullptr;
  if (error_text != nullptr && error_text(error, &text) == 0 && text != nullptr) return text;
  return "an error of the GPU's driver";
}

const GpuDriver* driver_of(GpuDriver::Address address) {
  static Known all[] = {{"libcuda.so.1", Vendor::nvidia},
                        {"libamdhip64.so.7", Vendor::amd},
                        {"libamdhip64.so.6", Vendor::amd}};
  for (Known& known : all) {
    const GpuDriver* const driver = driver_in(known);
    unsigned type = 0;
    if (driver != nullptr &&
        driver->pointer_attribute(&type, GpuDriver::kMemoryType, address) == 0 &&
        type == GpuDriver::kDeviceType) {
      return driver;
    }
  }
  return nullptr;
}

CurrentContext::CurrentContext(const GpuDriver& driver, GpuDriver::Context context)
    : driver_(driver), status_(driver.current_context(&before_)) {
  if (status_ == 0) status_ = driver.set_context(context);
}

CurrentContext::~CurrentContext() {
  if (status_ == 0) driver_.set_context(before_);
}

}  // namespace railgauge::softroce
