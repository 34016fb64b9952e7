#pragma once

#include "gpu/stream.hpp"
#include "reduce/reduction.hpp"
#include "transport/memory.hpp"

namespace railgauge::gpu {

/// A GPU whose data the host's processor combines: it fetches them into memory of the host, and
/// brings the result back (--gpu-reduce host). Copies are as of a Stream.
class StagedStream final : public executor::Offload {
 public:
  /// For combinations of up to `most_bytes`.
  StagedStream(const Device& device, reduce::ElementType type, reduce::Operator op,
               std::uint32_t ranks, std::size_t most_bytes);

  void reach(std::span<std::byte> memory) override { copies_.reach(memory); }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) noexcept override {
    copies_.copy(to, from, bytes);
  }
  void combine(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count,
               bool completes) noexcept override;
  [[nodiscard]] std::uint64_t started() const noexcept override { return copies_.started(); }
  [[nodiscard]] std::uint64_t done() noexcept override { return copies_.done(); }
  void see_arrivals() noexcept override { copies_.see_arrivals(); }
  [[nodiscard]] bool failed() const noexcept override { return copies_.failed(); }
  [[nodiscard]] std::string fault() const override { return copies_.fault(); }
  [[nodiscard]] Stream& copies() { return copies_; }

 private:
  reduce::Reduction reduction_;
  std::size_t element_bytes_;
  transport::Memory staging_;
  Stream copies_;  // before the memory that it reaches
};

}  // namespace railgauge::gpu
