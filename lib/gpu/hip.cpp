// HIP, AMD's: ROCm 6.0 and later. Kernels are compiled at run time, for the GPU that is there.

#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "gpu/vendors.hpp"

namespace railgauge::gpu {
namespace {

constexpr const char* kOldestRocm = "ROCm 6.0";

constexpr int kHipMultiprocessors = 63;     // hipDeviceAttributeMultiprocessorCount
constexpr int kHipFlushRegister = 10005;    // hipDeviceAttributeHdpMemFlushCntl: an address
constexpr int kHipCopyDefault = 4;          // hipMemcpyDefault: the addresses say from and to what
constexpr int kHsaDmaBufSupported = 0x204;  // HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED: a bool

using Program = Handle;  // hiprtcProgram
using Texts = const char* const*;

struct Hip {
  Call<void*, int, DeviceNumber> attribute;
  Call<void*, DeviceNumber> device_properties;
  Call<Address, Address, std::size_t, int, Handle> copy;
  // hsa_ext_amd.h
  Call<int, void*> system_info;
  Call<Address, std::size_t, int*, std::uint64_t*> export_dma_buf;
  // hiprtc.h
  Call<Program*, const char*, const char*, int, Texts, Texts> create_program;
  Call<Program, int, Texts> compile;
  Call<Program, std::size_t*> code_size;
  Call<Program, char*> code;
  Call<Program, std::size_t*> log_size;
  Call<Program, char*> log;
  Call<Program*> destroy_program;
};

Hip& hip() {
  static Hip functions;
  return functions;
}

Status hip_copy(Address to, Address from, std::size_t bytes, Handle stream) {
  return hip().copy(to, from, bytes, kHipCopyDefault, stream);
}

/// What a NIC wrote through PCIe may still be in the host data path, on its way to the memory.
Status hip_properties(DeviceNumber device, Properties* found) {
  bool exports = false;
  found->exports_dma_bufs = hip().system_info(kHsaDmaBufSupported, &exports) == kSuccess && exports;
  const Status flush = hip().attribute(&found->flush_register, kHipFlushRegister, device);
  found->needs_flush = flush == kSuccess && found->flush_register != nullptr;
  return hip().attribute(&found->multiprocessors, kHipMultiprocessors, device);
}

Status flush_data_path(const Properties& gpu) {
  *gpu.flush_register = 1;
  return kSuccess;
}

/// "gfx90a:sramecc+:xnack-". hipDeviceProp_t is laid out as its version wants; this text is in all.
std::string architecture(DeviceNumber device) {
  constexpr std::size_t kRoom = 8192;  // it has 1472 bytes in ROCm 6
  std::array<char, kRoom> properties{};
  const Status status = hip().device_properties(properties.data(), device);
  const std::string_view text(properties.data(), properties.size());
  const std::size_t begin = text.find("gfx");
  if (status == kSuccess && begin != std::string_view::npos)
    return std::string(text.substr(begin, text.find('\0', begin) - begin));
  throw Failure(std::string(hip().device_properties.name) +
                " does not say what architecture the GPU has; install another version of ROCm");
}

/// The text of a program: its code, or what the compiler said.
std::string text_of(Program program, const Call<Program, std::size_t*>& size,
                    const Call<Program, char*>& get) {
  std::size_t bytes = 0;
  if (size(program, &bytes) != kSuccess) return "";
  std::string text(bytes, '\0');
  return get(program, text.data()) == kSuccess ? text : "";
}

/// Without -ffp-contract=off a product and a sum would be rounded once, and not as on the host.
std::string compiled_kernels(DeviceNumber device) {
  const std::string target = "--offload-arch=" + architecture(device);
  const std::array options{target.c_str(), "-std=c++20", "-ffp-contract=off"};
  Program program = nullptr;
  Status status = hip().create_program(&program, hip_kernels(), "kernels.cu", 0, nullptr, nullptr);
  if (status == kSuccess)
    status = hip().compile(program, static_cast<int>(options.size()), options.data());
  const bool done = status == kSuccess;
  std::string text = done ? text_of(program, hip().code_size, hip().code)
                          : text_of(program, hip().log_size, hip().log);
  (void)hip().destroy_program(&program);
  if (done && !text.empty()) return text;
  throw Failure(std::string(hip().compile.name) + " of railgauge's kernels, " + target +
                ": error " + std::to_string(status) + ", " + text.substr(0, text.find('\n')) +
                "; report this with the version of ROCm");
}

std::string remedy_without_gpu() {
  if (::access("/dev/kfd", R_OK | W_OK) == 0)
    return "see what rocminfo says, HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES";
  if (errno == EACCES) return "this user may not open /dev/kfd; add it to the group render";
  return "there is no /dev/kfd; load amdgpu, in a container share it (--device /dev/kfd --device "
         "/dev/dri)";
}

void find_hsa() {
  const Library library({"libhsa-runtime64.so.1"}, kOldestRocm);
  library.find("hsa_system_get_info", hip().system_info);
  library.find("hsa_amd_portable_export_dmabuf", hip().export_dma_buf);
}

void find_compiler() {
  const Library library({"libhiprtc.so.7", "libhiprtc.so.6"}, kOldestRocm);
  library.find("hiprtcCreateProgram", hip().create_program);
  library.find("hiprtcCompileProgram", hip().compile);
  library.find("hiprtcGetCodeSize", hip().code_size);
  library.find("hiprtcGetCode", hip().code);
  library.find("hiprtcGetProgramLogSize", hip().log_size);
  library.find("hiprtcGetProgramLog", hip().log);
  library.find("hiprtcDestroyProgram", hip().destroy_program);
}

/// Parts of ROCm, once HIP is there.
void find_parts() {
  try {
    find_hsa();
    find_compiler();
  } catch (const NotInstalled& reason) {
    throw Failure("HIP is installed, but a part of ROCm is not: " + std::string(reason.what()) +
                  "; install it (packages hsa-rocr, hip-runtime-amd), or add its folder to "
                  "LD_LIBRARY_PATH");
  }
}

}  // namespace

Driver hip_driver() {
  const Library library({"libamdhip64.so.7", "libamdhip64.so.6"}, kOldestRocm);
  Driver all = common_functions(library, Vendor::amd);
  library.find("hipDeviceGetAttribute", hip().attribute);
  library.find("hipGetDevicePropertiesR0600", hip().device_properties);
  library.find("hipMemcpyAsync", hip().copy);
  find_parts();
  all.copy_async = {&hip_copy, hip().copy.name};
  all.export_dma_buf = hip().export_dma_buf;
  all.properties = {&hip_properties, hip().attribute.name};
  all.flush_remote_writes = {&flush_data_path, "flush of the host data path"};
  all.kernels = &compiled_kernels;
  int count = 0;
  Status status = all.init(0);
  if (status == kSuccess) status = all.device_count(&count);
  if (status == kSuccess && count > 0) return all;
  throw Failure("HIP finds no GPU for this process (" +
                (status == kSuccess ? "its list is empty" : in_words(all, status)) + "); " +
                remedy_without_gpu());
}

}  // namespace railgauge::gpu
