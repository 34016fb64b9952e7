#include "experiments/collective/data.hpp"

#include <cstring>

namespace railgauge::runner {
namespace {

class HostData final : public Data {
 public:
  Offloads make_offloads(unsigned /*threads*/) override { return {}; }
  transport::Region allocate(executor::ProgressThreads& threads, std::size_t bytes) override {
    return threads.allocate(bytes);
  }
  void write(std::byte* to, std::span<const std::byte> from) override {
    std::memcpy(to, from.data(), from.size());
  }
  void read(std::span<std::byte> to, const std::byte* from) override {
    std::memcpy(to.data(), from, to.size());
  }
  void set(std::span<std::byte> memory, unsigned char value) override {
    std::memset(memory.data(), value, memory.size());
  }
  void fill_input(const measure::Pattern& pattern, std::uint32_t rank,
                  std::span<std::byte> buffer) override {
    measure::fill_input(pattern, rank, buffer);
  }
  measure::Verdict verify_reduction(const measure::Pattern& pattern, std::size_t first,
                                    std::span<const std::byte> buffer) override {
    return measure::verify_reduction(pattern, first, buffer);
  }
  measure::Verdict verify_copy(const measure::Pattern& pattern, std::uint32_t rank,
                               std::size_t first, std::span<const std::byte> buffer) override {
    return measure::verify_copy(pattern, rank, first, buffer);
  }
};

}  // namespace

Data& host_data() {
  static HostData all;
  return all;
}

std::unique_ptr<Data> data_on_host() {
  return std::make_unique<HostData>();
}

}  // namespace railgauge::runner
