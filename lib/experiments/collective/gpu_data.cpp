#include "experiments/collective/gpu_data.hpp"

#include <deque>

#include "gpu/staged_stream.hpp"
#include "gpu/stream.hpp"

namespace railgauge::runner {
namespace {

class GpuData final : public Data {
 public:
  GpuData(const gpu::Device& device, const GpuDataSettings& settings)
      : device_(device), settings_(settings) {}

  Offloads make_offloads(unsigned threads) override {
    Offloads offloads;
    for (unsigned thread = 0; thread < threads; ++thread) offloads.push_back(make_offload());
    return offloads;
  }

  transport::Region allocate(executor::ProgressThreads& threads, std::size_t bytes) override {
    const gpu::Memory& memory = memory_.emplace_back(device_, bytes);
    const gpu::DmaBuf shown = memory.dma_buf();
    return threads.share_device({memory.bytes(), shown.file.number(), shown.offset});
  }

  void write(std::byte* to, std::span<const std::byte> from) override {
    device_.copy(to, from.data(), from.size());
  }
  void read(std::span<std::byte> to, const std::byte* from) override {
    device_.copy(to.data(), from, to.size());
  }
  void set(std::span<std::byte> memory, unsigned char value) override {
    device_.set(memory, value);
  }
  void fill_input(const measure::Pattern& pattern, std::uint32_t rank,
                  std::span<std::byte> buffer) override {
    device_.fill_input(pattern, rank, buffer);
  }
  measure::Verdict verify_reduction(const measure::Pattern& pattern, std::size_t first,
                                    std::span<const std::byte> buffer) override {
    return device_.verify_reduction(pattern, first, buffer);
  }
  measure::Verdict verify_copy(const measure::Pattern& pattern, std::uint32_t rank,
                               std::size_t first, std::span<const std::byte> buffer) override {
    return device_.verify_copy(pattern, rank, first, buffer);
  }

  DeviceTime take_device_time() override {
    DeviceTime all;
    for (gpu::Stream* stream : streams_) {
      const gpu::BusyTime busy = stream->take_busy_time();
      all.combining += busy.combining;
      all.copying += busy.copying;
    }
    return all;
  }
  [[nodiscard]] bool on_host() const override { return false; }

 private:
  std::unique_ptr<executor::Offload> make_offload() {
    const auto& [reduce, type, op, ranks, chunk_bytes] = settings_;
    if (reduce == GpuReduce::host) {
      auto staged = std::make_unique<gpu::StagedStream>(device_, type, op, ranks, chunk_bytes);
      streams_.push_back(&staged->copies());
      return staged;
    }
    auto stream = reduce == GpuReduce::gpu ? std::make_unique<gpu::Stream>(device_, type, op, ranks)
                                           : std::make_unique<gpu::Stream>(device_);
    streams_.push_back(stream.get());
    return stream;
  }

  const gpu::Device& device_;
  GpuDataSettings settings_;
  std::deque<gpu::Memory> memory_;
  std::vector<gpu::Stream*> streams_;  // of the offloads
};

}  // namespace

std::unique_ptr<Data> data_on_gpu(const gpu::Device& device, const GpuDataSettings& settings) {
  return std::make_unique<GpuData>(device, settings);
}

}  // namespace railgauge::runner
