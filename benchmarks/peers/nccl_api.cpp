#include "benchmarks/peers/nccl_api.hpp"

#include <dlfcn.h>

#include <initializer_list>

namespace railgauge::peers {
namespace {

constexpr int kOldestVersion = 23000;  // 2.30.0: takes several ranks on one GPU

struct Library {
  std::string name;
  void* handle = nullptr;

  template <class Function>
  void find_if_there(const char* symbol, Function*& function) const {
    function = reinterpret_cast<Function*>(::dlsym(handle, symbol));
  }

  template <class Function>
  void find(const char* symbol, Function*& function) const {
    find_if_there(symbol, function);
    if (function == nullptr) throw Unavailable(name + " has no " + symbol);
  }
};

Library open(std::initializer_list<const char*> names) {
  std::string reason;
  for (const char* name : names) {
    if (void* handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return {name, handle};
    if (reason.empty()) reason = ::dlerror();
  }
  throw Unavailable(reason);
}

Cuda open_cuda() {
  const Library library = open({"libcudart.so.13", "libcudart.so.12", "libcudart.so"});
  Cuda cuda;
  library.find("cudaGetDeviceCount", cuda.get_device_count);
  library.find("cudaSetDevice", cuda.set_device);
  library.find("cudaMalloc", cuda.allocate);
  library.find("cudaFree", cuda.free);
  library.find("cudaStreamCreate", cuda.create_stream);
  library.find("cudaStreamSynchronize", cuda.synchronize);
  library.find("cudaMemcpy", cuda.copy);
  library.find("cudaGetErrorString", cuda.error_string);
  return cuda;
}

Nccl open_nccl() {
  const Library library = open({"libnccl.so.2"});
  Nccl nccl;
  library.find("ncclGetVersion", nccl.get_version);
  library.find("ncclGetUniqueId", nccl.get_unique_id);
  library.find("ncclCommInitRank", nccl.init_rank);
  library.find("ncclCommDestroy", nccl.destroy);
  library.find("ncclAllReduce", nccl.all_reduce);
  library.find("ncclAllGather", nccl.all_gather);
  library.find("ncclSend", nccl.send);
  library.find("ncclRecv", nccl.receive);
  library.find("ncclGroupStart", nccl.group_start);
  library.find("ncclGroupEnd", nccl.group_end);
  library.find_if_there("ncclAlltoAll", nccl.alltoall);
  library.find("ncclGetErrorString", nccl.error_string);
  return nccl;
}

/// Major * 10000 + minor * 100 + patch, since 2.9.
std::string version_text(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

std::string check_version(const Nccl& nccl) {
  int version = 0;
  nccl.check(nccl.get_version(&version), "ncclGetVersion");
  std::string text = version_text(version);
  if (version >= kOldestVersion) return text;
  throw Unavailable("libnccl.so.2 is NCCL " + text +
                    ", which does not take several ranks on one GPU: use 2.30 or later");
}

int count_gpus(const Cuda& cuda) {
  int gpus = 0;
  const int status = cuda.get_device_count(&gpus);
  if (status == 0 && gpus > 0) return gpus;
  throw Unavailable(std::string("CUDA finds no GPU") +
                    (status == 0 ? "" : std::string(": ") + cuda.error_string(status)));
}

}  // namespace

void Cuda::check(int status, const std::string& call) const {
  if (status != 0) throw std::runtime_error(call + ": " + error_string(status));
}

void Nccl::check(int status, const std::string& call) const {
  if (status != 0) throw std::runtime_error(call + ": " + error_string(status));
}

GpuLibraries open_gpu_libraries() {
  GpuLibraries libraries;
  libraries.nccl = open_nccl();
  libraries.cuda = open_cuda();
  libraries.version = check_version(libraries.nccl);
  libraries.gpus = count_gpus(libraries.cuda);
  return libraries;
}

}  // namespace railgauge::peers
