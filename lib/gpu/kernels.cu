// What a GPU does with a collective's data: combines vectors, writes a Pattern, checks one. All of
// it is what the host does, from the same headers, so both agree to the last bit (definition.hpp).
//
// lib/gpu/kernels.ptx is this file, compiled by lib/gpu/compile_kernels; CUDA's driver compiles that
// for its chip when a program loads it. HIP gets this file as it is, after hip_standard.cu and
// what it includes. Tests compile both for the host, too.

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#endif
#if defined __CUDA__ || defined __HIP__
#define KERNEL extern "C" __attribute__((global)) void
#else
#define KERNEL extern "C" void
#endif

#include <cstdlib>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif

#include "gpu/kernel_arguments.hpp"
#include "measure/pattern_values.hpp"
#include "reduce/definition.hpp"

namespace {

using namespace railgauge;
using reduce::Operator;

#if defined __CUDA__
inline std::size_t thread_number() {
  return std::size_t{static_cast<unsigned>(__nvvm_read_ptx_sreg_ctaid_x())} *
             static_cast<unsigned>(__nvvm_read_ptx_sreg_ntid_x()) +
         static_cast<unsigned>(__nvvm_read_ptx_sreg_tid_x());
}
inline std::size_t threads() {
  return std::size_t{static_cast<unsigned>(__nvvm_read_ptx_sreg_nctaid_x())} *
         static_cast<unsigned>(__nvvm_read_ptx_sreg_ntid_x());
}
#elif defined __HIP__
inline std::size_t thread_number() {
  return std::size_t{__builtin_amdgcn_workgroup_id_x()} * __builtin_amdgcn_workgroup_size_x() +
         __builtin_amdgcn_workitem_id_x();
}
inline std::size_t threads() { return __builtin_amdgcn_grid_size_x(); }
#else
inline std::size_t thread_number() { return 0; }
inline std::size_t threads() { return 1; }
#endif

#if defined __CUDA__ || defined __HIP__
inline void add_to(std::uint64_t* sum, std::uint64_t value) {
  __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
}
inline void lower_to(std::uint64_t* least, std::uint64_t value) {
  __atomic_fetch_min(least, value, __ATOMIC_RELAXED);
}
#else
inline void add_to(std::uint64_t* sum, std::uint64_t value) { *sum += value; }
inline void lower_to(std::uint64_t* least, std::uint64_t value) { *least = std::min(*least, value); }
#endif

/// What one load or store of a thread moves.
template <class T>
struct alignas(16) Line {
  static constexpr std::size_t kElements = 16 / sizeof(T);
  T elements[kElements];
};

template <class T>
bool in_lines(const void* a, const void* b, const void* c) {
  const auto bits = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b) |
                    reinterpret_cast<std::uintptr_t>(c);
  return bits % sizeof(Line<T>) == 0;
}

template <class T, Operator kOp>
void combine_with(T* out, const T* a, const T* b, const gpu::Combination& how) {
  const std::size_t lines = in_lines<T>(out, a, b) ? how.count / Line<T>::kElements : 0;
  for (std::size_t i = thread_number(); i < lines; i += threads()) {
    Line<T> left = reinterpret_cast<const Line<T>*>(a)[i];
    const Line<T> right = reinterpret_cast<const Line<T>*>(b)[i];
    for (std::size_t k = 0; k < Line<T>::kElements; ++k)
      left.elements[k] = reduce::combined(kOp, left.elements[k], right.elements[k], how.ranks);
    reinterpret_cast<Line<T>*>(out)[i] = left;
  }
  const std::size_t rest = lines * Line<T>::kElements;
  for (std::size_t i = rest + thread_number(); i < how.count; i += threads())
    out[i] = reduce::combined(kOp, a[i], b[i], how.ranks);
}

template <class T>
void combine(T* out, const T* a, const T* b, const gpu::Combination& how) {
  switch (how.op) {
    case Operator::sum: return combine_with<T, Operator::sum>(out, a, b, how);
    case Operator::prod: return combine_with<T, Operator::prod>(out, a, b, how);
    case Operator::min: return combine_with<T, Operator::min>(out, a, b, how);
    case Operator::max: return combine_with<T, Operator::max>(out, a, b, how);
    case Operator::avg: return combine_with<T, Operator::avg>(out, a, b, how);
  }
}

template <class T>
void fill(T* out, const gpu::Filling& how) {
  for (std::size_t i = thread_number(); i < how.count; i += threads())
    out[i] = measure::input_value<T>(how.pattern, how.rank, i);
}

template <class T>
void check(const T* found, const gpu::Check& how, gpu::Wrong* wrong) {
  std::uint64_t looked = 0;
  for (std::size_t i = thread_number(); i < how.count; i += threads()) {
    const std::size_t at = how.first + i;
    ++looked;
    const T expected = how.reduced ? measure::reduced_value<T>(how.pattern, at)
                                   : measure::input_value<T>(how.pattern, how.rank, at);
    if (measure::same_number(found[i], expected)) continue;
    add_to(&wrong->elements, 1);
    lower_to(&wrong->first, at);
  }
  if (looked > 0) add_to(&wrong->looked, looked);
}

}  // namespace

// With HIP it began in hip_standard.cu.
#if defined __CUDA__ || defined __HIP__
#pragma clang force_cuda_host_device end
#endif

#define KERNELS_OF(Type, name)                                                                     \
  KERNEL combine_##name(Type* out, const Type* a, const Type* b, railgauge::gpu::Combination how) { \
    combine(out, a, b, how);                                                                       \
  }                                                                                                \
  KERNEL fill_##name(Type* out, railgauge::gpu::Filling how) { fill(out, how); }                   \
  KERNEL check_##name(const Type* found, railgauge::gpu::Check how, railgauge::gpu::Wrong* wrong) { \
    check(found, how, wrong);                                                                      \
  }

KERNELS_OF(std::int8_t, int8)
KERNELS_OF(std::uint8_t, uint8)
KERNELS_OF(std::int32_t, int32)
KERNELS_OF(std::uint32_t, uint32)
KERNELS_OF(std::int64_t, int64)
KERNELS_OF(std::uint64_t, uint64)
KERNELS_OF(railgauge::reduce::Float16, half)
KERNELS_OF(float, float)
KERNELS_OF(double, double)
KERNELS_OF(railgauge::reduce::BFloat16, bfloat16)
KERNELS_OF(railgauge::reduce::Float8E4M3, f8e4m3)
KERNELS_OF(railgauge::reduce::Float8E5M2, f8e5m2)
