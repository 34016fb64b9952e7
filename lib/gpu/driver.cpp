#include "gpu/driver.hpp"

#include <dlfcn.h>

#include "gpu/vendors.hpp"

namespace railgauge::gpu {
namespace {

/// The first that has a GPU. Where none has, it is said of those that are installed.
Driver load() {
  std::string absent;
  std::string unusable;
  for (Driver (*const vendors)() : {&cuda_driver, &hip_driver}) {
    try {
      return vendors();
    } catch (const NotInstalled& reason) {
      absent += std::string(reason.what()) + "; ";
    } catch (const Failure& reason) {
      unusable += (unusable.empty() ? "" : "; ") + std::string(reason.what());
    }
  }
  if (!unusable.empty()) throw Failure("no GPU memory: " + unusable);
  throw Failure("no GPU memory: " + absent +
                "install the GPU's driver, in a container share it (NVIDIA: --gpus all, AMD: "
                "--device /dev/kfd --device /dev/dri), or leave --memory gpu out");
}

}  // namespace

Library::Library(std::initializer_list<const char*> names, const char* remedy) : remedy_(remedy) {
  std::string reason;
  for (const char* name : names) {
    library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library_ != nullptr) return;
    const char* const words = dlerror();
    if (reason.empty()) reason = words == nullptr ? name : words;
  }
  throw NotInstalled(reason);
}

void* Library::symbol(const char* name) const {
  void* const found = dlsym(library_, name);
  if (found != nullptr) return found;
  throw Failure("the driver lacks " + std::string(name) + "; install " + remedy_ + " or later");
}

Driver common_functions(const Library& library, Vendor vendor) {
  Driver all{};
  const auto find = [&](const char* cuda, const char* hip, auto& call) {
    library.find(vendor == Vendor::nvidia ? cuda : hip, call);
  };
  find("cuInit", "hipInit", all.init);
  find("cuDeviceGetCount", "hipGetDeviceCount", all.device_count);
  find("cuDeviceGet", "hipDeviceGet", all.device);
  find("cuDeviceGetName", "hipDeviceGetName", all.device_name);
  find("cuDeviceGetPCIBusId", "hipDeviceGetPCIBusId", all.device_pci_bus_id);
  find("cuDevicePrimaryCtxRetain", "hipDevicePrimaryCtxRetain", all.retain_context);
  find("cuDevicePrimaryCtxRelease_v2", "hipDevicePrimaryCtxRelease", all.release_context);
  find("cuCtxSetCurrent", "hipCtxSetCurrent", all.set_current);
  find("cuMemAlloc_v2", "hipMalloc", all.allocate);
  find("cuMemFree_v2", "hipFree", all.free);
  find("cuPointerSetAttribute", "hipPointerSetAttribute", all.set_pointer_attribute);
  find("cuMemHostRegister_v2", "hipHostRegister", all.register_host);
  find("cuMemHostUnregister", "hipHostUnregister", all.unregister_host);
  find("cuMemHostGetDevicePointer_v2", "hipHostGetDevicePointer", all.host_address);
  find("cuMemsetD8Async", "hipMemsetD8Async", all.set_bytes);
  find("cuStreamCreate", "hipStreamCreateWithFlags", all.create_stream);
  find("cuStreamDestroy_v2", "hipStreamDestroy", all.destroy_stream);
  find("cuStreamQuery", "hipStreamQuery", all.stream_query);
  find("cuEventCreate", "hipEventCreateWithFlags", all.create_event);
  find("cuEventDestroy_v2", "hipEventDestroy", all.destroy_event);
  find("cuEventRecord", "hipEventRecord", all.record);
  find("cuEventQuery", "hipEventQuery", all.query);
  find("cuEventElapsedTime", "hipEventElapsedTime", all.elapsed_ms);
  find("cuModuleLoadData", "hipModuleLoadData", all.load_module);
  find("cuModuleUnload", "hipModuleUnload", all.unload_module);
  find("cuModuleGetFunction", "hipModuleGetFunction", all.function);
  find("cuLaunchKernel", "hipModuleLaunchKernel", all.launch);
  find("cuGetErrorString", "hipDrvGetErrorString", all.error_text);
  return all;
}

std::string in_words(const Driver& driver, Status status) {
  const char* text = nullptr;
  const bool known = driver.error_text(status, &text) == kSuccess && text != nullptr;
  return known ? text : "error " + std::to_string(status) + " of the GPU's driver";
}

const Driver& driver() {
  static const Driver loaded = load();
  return loaded;
}

void check(Status status, const std::string& what) {
  if (status != kSuccess) throw Failure(what + ": " + in_words(driver(), status));
}

}  // namespace railgauge::gpu
