#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/driver.hpp"
#include "gpu/kernel_arguments.hpp"
#include "measure/pattern.hpp"
#include "transport/memory.hpp"

namespace railgauge::gpu {

/// A GPU as the driver lists it.
struct Description {
  int ordinal = 0;
  std::string name{};         // "NVIDIA H100 80GB HBM3"
  std::string pci_address{};  // "0000:1b:00.0"
};

/// All GPUs that this process may use; none without one. Throws Failure: there is no driver.
[[nodiscard]] std::vector<Description> list_devices();

class Device;

struct DmaBuf {
  transport::FileHandle file{-1};
  std::uint64_t offset = 0;  // at which the memory begins in it
};

/// Memory of a GPU, zeroed. A processor must not touch its addresses: they are the GPU's.
class Memory {
 public:
  Memory(const Device& device, std::size_t bytes);
  ~Memory();
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&&) = delete;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  /// The memory as a dma-buf, by which the GPU's driver shows it to a NIC's. It may be closed once
  /// it is registered. -1 if this GPU has none (closed kernel modules, an old kernel): peer memory
  /// may do.
  [[nodiscard]] DmaBuf dma_buf() const;

 private:
  Memory(const Device& device, std::span<std::byte> bytes) : device_(device), bytes_(bytes) {}

  const Device& device_;
  std::span<std::byte> bytes_;
};

/// "NVIDIA H100 80GB HBM3 (0000:1b:00.0)"
[[nodiscard]] std::string in_words(const Description& gpu);

/// A GPU in use by this process, with the kernels loaded. Its functions return when what they do is
/// done, and throw Failure; any thread, as each makes the GPU its own first.
class Device {
 public:
  /// By its number in list_devices().
  explicit Device(int ordinal);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] const Description& description() const { return description_; }
  [[nodiscard]] const Properties& properties() const { return properties_; }

  /// Between memory of the GPU and of the host, either way, or within one.
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) const;
  void set(std::span<std::byte> memory, unsigned char value) const;

  /// As measure::fill_input, on the GPU.
  void fill_input(const measure::Pattern& pattern, std::uint32_t rank,
                  std::span<std::byte> buffer) const;
  /// As measure::verify_reduction and verify_copy, on the GPU; the first wrong element comes back
  /// to be put into words.
  [[nodiscard]] measure::Verdict verify_reduction(const measure::Pattern& pattern,
                                                  std::size_t first,
                                                  std::span<const std::byte> buffer) const;
  [[nodiscard]] measure::Verdict verify_copy(const measure::Pattern& pattern, std::uint32_t rank,
                                             std::size_t first,
                                             std::span<const std::byte> buffer) const;

  /// A kernel by its name in kernels.cu.
  [[nodiscard]] Handle kernel(const std::string& name) const;
  /// Starts it on as many threads as `items` need, at most as many as the GPU runs at once.
  [[nodiscard]] Status launch(Handle kernel, std::size_t items, Handle stream,
                              void** arguments) const noexcept;
  /// Makes it the calling thread's.
  void make_current() const;
  /// Waits until all that was started on a stream is done: success, what the GPU reports, or
  /// kNotReady if that takes longer than any work of ours, so that a GPU that hangs ends in words.
  [[nodiscard]] Status wait(Handle stream) const noexcept;
  /// Throws Failure with the GPU's name and the driver's words unless `status` is success.
  void check(Status status, const std::string& call) const;
  [[nodiscard]] Handle context() const { return context_; }

 private:
  [[nodiscard]] measure::Verdict checked(const Check& how, std::span<const std::byte> buffer) const;
  void run(const std::string& kernel, std::size_t items, void** arguments) const;

  const Driver& driver_;
  Description description_;  // from here on messages name it
  DeviceNumber number_ = 0;
  Handle context_ = nullptr;
  std::string kernels_;  // HIP does not promise to copy them
  Handle module_ = nullptr;
  Handle stream_ = nullptr;
  Properties properties_;
  std::unique_ptr<Memory> wrong_;  // where checks count
};

/// The GPU of that number, opened at the first call and kept to the end of the process: whatever
/// has memory of it may take its time. Throws Failure. One thread.
[[nodiscard]] const Device& open_device(int ordinal);

}  // namespace railgauge::gpu
