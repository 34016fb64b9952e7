#pragma once

// lib/gpu holds memory of GPUs and what a GPU does with it: copies, combines, writes and checks a
// collective's data. It must not know verbs, MPI, or what is measured.
//
// Nothing of CUDA or HIP is in the build: the driver's functions are looked up at run time, and
// declared here as its ABI has them (CUDA driver API 11.7 and later, cuda.h; HIP 6.0 and later,
// hip_runtime_api.h).

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace railgauge::gpu {

/// Why memory of a GPU cannot be had or used, with a remedy.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// cuda.h's types, as far as they cross the ABI; HIP's have the same sizes and values.
using Status = int;  // CUresult, hipError_t
using Address = std::uint64_t;
using DeviceNumber = int;
using Handle = void*;  // CUcontext, CUstream, CUevent, CUmodule, CUfunction

inline constexpr Status kSuccess = 0;
inline constexpr Status kNotReady = 600;

/// A function of a driver, and its name there, for messages.
template <class... Arguments>
struct Call {
  Status (*function)(Arguments...) = nullptr;
  const char* name = "";

  Status operator()(Arguments... arguments) const noexcept { return function(arguments...); }
};

struct Properties {
  int multiprocessors = 1;
  bool exports_dma_bufs = false;
  bool needs_flush = false;                          // before kernels read what peers wrote
  volatile std::uint32_t* flush_register = nullptr;  // AMD's, at which the flush is asked for
};

/// The functions of a driver. The names are cuda.h's, in this house's spelling.
struct Driver {
  Call<unsigned> init;  // flags
  Call<int*> device_count;
  Call<DeviceNumber*, int> device;  // by its ordinal
  Call<char*, int, DeviceNumber> device_name;
  Call<char*, int, DeviceNumber> device_pci_bus_id;
  Call<Handle*, DeviceNumber> retain_context;
  Call<DeviceNumber> release_context;
  Call<Handle> set_current;
  Call<Address*, std::size_t> allocate;
  Call<Address> free;
  Call<const void*, int, Address> set_pointer_attribute;  // value, attribute
  Call<void*, std::size_t, unsigned> register_host;       // flags
  Call<void*> unregister_host;
  Call<Address*, void*, unsigned> host_address;  // where kernels find registered memory; flags 0
  Call<Address, unsigned char, std::size_t, Handle> set_bytes;
  Call<Handle*, unsigned> create_stream;  // flags
  Call<Handle> destroy_stream;
  Call<Handle> stream_query;
  Call<Handle*, unsigned> create_event;  // flags
  Call<Handle> destroy_event;
  Call<Handle, Handle> record;  // event, stream
  Call<Handle> query;
  Call<float*, Handle, Handle> elapsed_ms;
  Call<Handle*, const void*> load_module;
  Call<Handle> unload_module;
  Call<Handle*, Handle, const char*> function;
  Call<Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void**,
       void**>
      launch;  // grid, block, shared bytes, stream, arguments, extra
  Call<Status, const char**> error_text;

  // In these CUDA and HIP differ in more than their names.
  Call<Address, Address, std::size_t, Handle> copy_async;           // to, from
  Call<Address, std::size_t, int*, std::uint64_t*> export_dma_buf;  // file, offset in it
  Call<DeviceNumber, Properties*> properties;
  Call<const Properties&> flush_remote_writes;
  /// The kernels for load_module, compiled where that takes more than the driver. Throws Failure.
  std::string (*kernels)(DeviceNumber) = nullptr;
};

/// Loads CUDA's driver, or HIP's where that has no GPU, once for the process, and keeps it. Throws
/// Failure: there is no driver, it is too old, it knows no GPU. Any thread.
const Driver& driver();

/// Throws Failure with the driver's own words unless `status` is success. `what` is the call and
/// what it was for.
void check(Status status, const std::string& what);

}  // namespace railgauge::gpu
