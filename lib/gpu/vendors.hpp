#pragma once

#include <initializer_list>
#include <string>

#include "gpu/driver.hpp"

namespace railgauge::gpu {

/// A vendor's driver is not installed; another's may be.
struct NotInstalled : Failure {
  using Failure::Failure;
};

/// A library, loaded until the process ends: drivers do not like to be unloaded.
class Library {
 public:
  /// The first of these names that is there. `remedy` is for what lacks a function. Throws
  /// NotInstalled, with the dynamic linker's words.
  Library(std::initializer_list<const char*> names, const char* remedy);

  /// Throws Failure.
  template <class... Arguments>
  void find(const char* name, Call<Arguments...>& call) const {
    call = {reinterpret_cast<Status (*)(Arguments...)>(symbol(name)), name};
  }

 private:
  [[nodiscard]] void* symbol(const char* name) const;

  void* library_ = nullptr;
  const char* remedy_;
};

enum class Vendor { nvidia, amd };

/// Finds what has the same arguments in CUDA and in HIP. Throws Failure.
[[nodiscard]] Driver common_functions(const Library& library, Vendor vendor);

/// Of status, in the driver's words.
[[nodiscard]] std::string in_words(const Driver& driver, Status status);

/// Each throws NotInstalled, or Failure if it is too old or has no GPU for this process.
[[nodiscard]] Driver cuda_driver();
[[nodiscard]] Driver hip_driver();

/// kernels.ptx, ended by a zero.
[[nodiscard]] const char* ptx_kernels();

/// kernels.cu with all that it includes, for hiprtc; ended by a zero.
[[nodiscard]] const char* hip_kernels();

}  // namespace railgauge::gpu
