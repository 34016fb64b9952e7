#pragma once

// The functions of NCCL and of CUDA's runtime that nccl_peer calls, found in their libraries when
// it runs: a build needs neither. Signatures and values are those of nccl.h and cuda_runtime_api.h,
// whose enumerations are int here.

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace railgauge::peers {

/// A library or a GPU that is needed is not here: what() says which, in a sentence.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Status 0 is success. Memory and streams are those of the GPU chosen last by this thread.
struct Cuda {
  static constexpr int kHostToDevice = 1;  // cudaMemcpyKind
  static constexpr int kDeviceToHost = 2;

  int (*get_device_count)(int* count) = nullptr;
  int (*set_device)(int device) = nullptr;
  int (*allocate)(void** memory, std::size_t bytes) = nullptr;
  int (*free)(void* memory) = nullptr;
  int (*create_stream)(void** stream) = nullptr;
  int (*synchronize)(void* stream) = nullptr;
  int (*copy)(void* to, const void* from, std::size_t bytes, int kind) = nullptr;
  const char* (*error_string)(int status) = nullptr;

  /// Throws std::runtime_error with the name of the call and CUDA's reason unless status is 0.
  void check(int status, const std::string& call) const;
};

/// ncclUniqueId: passed by value.
struct NcclId {
  std::array<char, 128> bytes;
};

/// Status 0 is success. Buffers are the GPU's, and calls return before the stream has done them.
struct Nccl {
  using Communicator = void*;
  using Stream = void*;
  static constexpr int kInt8 = 0;  // ncclDataType_t
  static constexpr int kFloat = 7;
  static constexpr int kSum = 0;  // ncclRedOp_t

  int (*get_version)(int* version) = nullptr;
  int (*get_unique_id)(NcclId* id) = nullptr;
  int (*init_rank)(Communicator* all, int ranks, NcclId id, int rank) = nullptr;
  int (*destroy)(Communicator all) = nullptr;
  int (*all_reduce)(const void* from, void* to, std::size_t count, int type, int operation,
                    Communicator all, Stream stream) = nullptr;
  int (*all_gather)(const void* from, void* to, std::size_t count_of_each, int type,
                    Communicator all, Stream stream) = nullptr;
  int (*send)(const void* from, std::size_t count, int type, int peer, Communicator all,
              Stream stream) = nullptr;
  int (*receive)(void* to, std::size_t count, int type, int peer, Communicator all,
                 Stream stream) = nullptr;
  int (*group_start)() = nullptr;
  int (*group_end)() = nullptr;
  /// Since NCCL 2.28; null before.
  int (*alltoall)(const void* from, void* to, std::size_t count_of_each, int type, Communicator all,
                  Stream stream) = nullptr;
  const char* (*error_string)(int status) = nullptr;

  /// Throws std::runtime_error with the name of the call and NCCL's reason unless status is 0.
  void check(int status, const std::string& call) const;
};

struct GpuLibraries {
  Cuda cuda;
  Nccl nccl;
  int gpus = 0;
  std::string version;  // of NCCL, such as 2.30.7
};

/// Opens libnccl.so.2 and libcudart.so (13, 12 or unversioned) for the rest of the process. Throws
/// Unavailable if one is missing, there is no GPU, or NCCL is older than 2.30, which does not take
/// several ranks on one GPU.
GpuLibraries open_gpu_libraries();

}  // namespace railgauge::peers
