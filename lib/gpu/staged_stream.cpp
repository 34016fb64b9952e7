#include "gpu/staged_stream.hpp"

namespace railgauge::gpu {

StagedStream::StagedStream(const Device& device, reduce::ElementType type, reduce::Operator op,
                           std::uint32_t ranks, std::size_t most_bytes)
    : reduction_(reduce::reduction(type, op, ranks)),
      element_bytes_(reduce::size_bytes(type)),
      staging_(most_bytes),
      copies_(device, type, op, ranks) {
  copies_.reach(staging_.bytes());
}

/// Behind all that was started before, and over when it returns: there is one staging buffer.
void StagedStream::combine(std::byte* out, const std::byte* a, const std::byte* b,
                           std::size_t count, bool completes) noexcept {
  std::byte* const staged = staging_.bytes().data();
  const std::size_t bytes = count * element_bytes_;
  copies_.copy(staged, a, bytes);
  copies_.finish();
  if (completes) {
    reduction_.complete(staged, staged, b, count);
  } else {
    reduction_.combine(staged, staged, b, count);
  }
  copies_.copy(out, staged, bytes);
  copies_.finish();
}

}  // namespace railgauge::gpu
