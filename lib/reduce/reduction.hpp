#pragma once

#include <cstddef>
#include <cstdint>

#include "reduce/element_type.hpp"
#include "reduce/kernel.hpp"
#include "reduce/worker_pool.hpp"

namespace railgauge::reduce {

/// How one collective combines vectors: out[i] = a[i] op b[i], as definition.hpp defines it.
/// `complete` is for the last combination, which makes a block the reduction of all ranks,
/// `combine` for all before it. They differ only for avg, whose `combine` is sum, and whose
/// `complete` divides the sum by the number of ranks. A single rank's average is its input: nothing
/// to call.
///
/// `out` may be `a` or `b`, and must not otherwise overlap them; all three are aligned to the
/// element. Thread-safe, unless shared_by() was called.
class Reduction {
 public:
  void combine(std::byte* out, const std::byte* a, const std::byte* b,
               std::size_t count) const noexcept {
    call(combine_, out, a, b, count);
  }
  void complete(std::byte* out, const std::byte* a, const std::byte* b,
                std::size_t count) const noexcept {
    call(complete_, out, a, b, count);
  }

  /// The same, by all threads of a pool, which has to outlive it. Then only one thread may call at
  /// a time.
  [[nodiscard]] Reduction shared_by(WorkerPool& worker_pool) const {
    Reduction shared = *this;
    shared.worker_pool_ = &worker_pool;
    return shared;
  }

 private:
  friend Reduction reduction(ElementType type, Operator op, std::uint32_t ranks);
  friend Reduction no_reduction();
  Reduction(Kernel combining, Kernel completing, std::size_t element_bytes, std::uint32_t ranks)
      : combine_(combining), complete_(completing), element_bytes_(element_bytes), ranks_(ranks) {}

  void call(Kernel kernel, std::byte* out, const std::byte* a, const std::byte* b,
            std::size_t count) const noexcept {
    if (worker_pool_ == nullptr) return kernel(out, a, b, count, ranks_);
    worker_pool_->share(kernel, out, a, b, count, element_bytes_, ranks_);
  }

  Kernel combine_;
  Kernel complete_;
  std::size_t element_bytes_;
  std::uint32_t ranks_;
  WorkerPool* worker_pool_ = nullptr;
};

/// With the widest vectors that this processor has. `ranks` is at least 1.
[[nodiscard]] Reduction reduction(ElementType type, Operator op, std::uint32_t ranks);

/// Leaves `out` as it is: for data that are moved only to load a fabric, whose result is worthless.
[[nodiscard]] Reduction no_reduction();

}  // namespace railgauge::reduce
