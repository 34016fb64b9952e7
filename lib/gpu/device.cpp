#include "gpu/device.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>
#include <thread>
#include <utility>

#include "reduce/element_type.hpp"

namespace railgauge::gpu {
namespace {

// Threads of a block, and blocks for each multiprocessor: enough for what PCIe and memory carry.
constexpr unsigned kBlock = 512;
constexpr unsigned kBlocksPerMultiprocessor = 4;

// HIP has the same.
constexpr int kSyncMemops = 6;                             // CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
constexpr unsigned kNonBlocking = 1;                       // CU_STREAM_NON_BLOCKING
constexpr std::size_t kExported = std::size_t{64} * 1024;  // the granularity of exports

Address address_of(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

Description describe(const Driver& driver, int ordinal) {
  constexpr int kRoom = 256;
  std::array<char, kRoom> text{};
  DeviceNumber device = 0;
  Description found{.ordinal = ordinal};
  check(driver.device(&device, ordinal),
        driver.device.name + (" of GPU " + std::to_string(ordinal)));
  check(driver.device_name(text.data(), kRoom, device), driver.device_name.name);
  found.name = text.data();
  check(driver.device_pci_bus_id(text.data(), kRoom, device), driver.device_pci_bus_id.name);
  found.pci_address = text.data();
  // As sysfs has it: in small letters.
  std::ranges::transform(found.pci_address, found.pci_address.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
  });
  return found;
}

/// All blocks of a device: of whole export granules, so that a dma-buf of one shows no other.
std::size_t rounded(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + kExported - 1) / kExported * kExported;
}

/// Copies that the host starts are over when they return, as a NIC may read right after (CUDA's
/// GPUDirect RDMA documentation, "Synchronization and Memory Ordering"). Not all memory can.
std::span<std::byte> allocated(const Device& device, std::size_t bytes) {
  device.make_current();
  Address at = 0;
  device.check(driver().allocate(&at, bytes),
               driver().allocate.name +
                   (" of " + std::to_string(bytes) + " bytes (smaller sizes need less)"));
  const unsigned on = 1;
  (void)driver().set_pointer_attribute(&on, kSyncMemops, at);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver carries addresses as integers
  return {reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(at)), bytes};
}

}  // namespace

std::string in_words(const Description& gpu) {
  return gpu.name + " (" + gpu.pci_address + ")";
}

std::vector<Description> list_devices() {
  const Driver& all = driver();
  int count = 0;
  check(all.device_count(&count), all.device_count.name);
  std::vector<Description> found;
  found.reserve(static_cast<std::size_t>(count));
  for (int ordinal = 0; ordinal < count; ++ordinal) found.push_back(describe(all, ordinal));
  return found;
}

Memory::Memory(const Device& device, std::size_t bytes)
    : Memory(device, allocated(device, rounded(bytes))) {
  device_.set(bytes_, 0);
}

Memory::Memory(Memory&& other) noexcept
    : device_(other.device_), bytes_(std::exchange(other.bytes_, {})) {}

Memory::~Memory() {
  if (bytes_.empty() || driver().free(address_of(bytes_.data())) == kSuccess) return;
  std::fprintf(stderr, "railgauge: %s did not take back %zu bytes of memory\n",
               in_words(device_.description()).c_str(), bytes_.size());
}

DmaBuf Memory::dma_buf() const {
  if (!device_.properties().exports_dma_bufs) return {};
  device_.make_current();
  int file = -1;
  std::uint64_t offset = 0;
  const auto& call = driver().export_dma_buf;
  const Status status = call(address_of(bytes_.data()), bytes_.size(), &file, &offset);
  device_.check(status, call.name + (" of " + std::to_string(bytes_.size()) +
                                     " bytes (a dma-buf needs NVIDIA's open kernel modules, or an "
                                     "amdgpu that exports it)"));
  return {transport::FileHandle(file), offset};
}

Device::Device(int ordinal) : driver_(driver()), description_(describe(driver_, ordinal)) {
  check(driver_.device(&number_, ordinal), driver_.device.name);
  check(driver_.retain_context(&context_, number_), driver_.retain_context.name);
  make_current();
  kernels_ = driver_.kernels(number_);
  check(driver_.load_module(&module_, kernels_.data()),
        driver_.load_module.name + std::string(" of railgauge's kernels"));
  check(driver_.create_stream(&stream_, kNonBlocking), driver_.create_stream.name);
  check(driver_.properties(number_, &properties_), driver_.properties.name);
  wrong_ = std::make_unique<Memory>(*this, sizeof(Wrong));
}

Device::~Device() {
  (void)driver_.set_current(context_);
  wrong_.reset();
  driver_.destroy_stream(stream_);
  driver_.unload_module(module_);
  driver_.release_context(number_);
}

Status Device::wait(Handle stream) const noexcept {
  constexpr std::chrono::seconds kLongest{30};
  const auto end = std::chrono::steady_clock::now() + kLongest;
  Status status = driver_.stream_query(stream);
  while (status == kNotReady && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
    status = driver_.stream_query(stream);
  }
  return status;
}

void Device::check(Status status, const std::string& call) const {
  if (status != kSuccess) gpu::check(status, in_words(description_) + " failed: " + call);
}

void Device::make_current() const {
  check(driver_.set_current(context_), driver_.set_current.name);
}

void Device::copy(std::byte* to, const std::byte* from, std::size_t bytes) const {
  if (bytes == 0) return;
  make_current();
  check(driver_.copy_async(address_of(to), address_of(from), bytes, stream_),
        driver_.copy_async.name);
  check(wait(stream_), driver_.copy_async.name);
}

void Device::set(std::span<std::byte> memory, unsigned char value) const {
  if (memory.empty()) return;
  make_current();
  check(driver_.set_bytes(address_of(memory.data()), value, memory.size(), stream_),
        driver_.set_bytes.name);
  check(wait(stream_), driver_.set_bytes.name);
}

Handle Device::kernel(const std::string& name) const {
  make_current();
  Handle found = nullptr;
  check(driver_.function(&found, module_, name.c_str()), driver_.function.name + (" of " + name));
  return found;
}

Status Device::launch(Handle kernel, std::size_t items, Handle stream,
                      void** arguments) const noexcept {
  const auto most = static_cast<unsigned>(properties_.multiprocessors) * kBlocksPerMultiprocessor;
  const std::size_t blocks = std::clamp<std::size_t>((items + kBlock - 1) / kBlock, 1, most);
  return driver_.launch(kernel, static_cast<unsigned>(blocks), 1, 1, kBlock, 1, 1, 0, stream,
                        arguments, nullptr);
}

void Device::run(const std::string& name, std::size_t items, void** arguments) const {
  check(launch(kernel(name), items, stream_, arguments), driver_.launch.name + (" of " + name));
  check(wait(stream_), name);
}

void Device::fill_input(const measure::Pattern& pattern, std::uint32_t rank,
                        std::span<std::byte> buffer) const {
  const std::size_t count = buffer.size() / reduce::size_bytes(pattern.type);
  if (count == 0) return;
  Address out = address_of(buffer.data());
  Filling how{.count = count, .pattern = pattern, .rank = rank};
  std::array<void*, 2> arguments{&out, &how};
  run("fill_" + std::string(reduce::name(pattern.type)), count, arguments.data());
}

measure::Verdict Device::verify_reduction(const measure::Pattern& pattern, std::size_t first,
                                          std::span<const std::byte> buffer) const {
  return checked({.first = first, .pattern = pattern, .reduced = true}, buffer);
}

measure::Verdict Device::verify_copy(const measure::Pattern& pattern, std::uint32_t rank,
                                     std::size_t first, std::span<const std::byte> buffer) const {
  return checked({.first = first, .pattern = pattern, .rank = rank}, buffer);
}

/// The first wrong element is judged once more here, for its words.
measure::Verdict Device::checked(const Check& asked, std::span<const std::byte> buffer) const {
  const std::size_t element = reduce::size_bytes(asked.pattern.type);
  Check how = asked;
  how.count = buffer.size() / element;
  if (how.count == 0) return {};
  Wrong wrong{.elements = 0, .first = std::numeric_limits<std::uint64_t>::max(), .looked = 0};
  auto* const counted = wrong_->bytes().data();
  copy(counted, reinterpret_cast<const std::byte*>(&wrong), sizeof wrong);
  Address found = address_of(buffer.data());
  Address counts = address_of(counted);
  std::array<void*, 3> arguments{&found, &how, &counts};
  run("check_" + std::string(reduce::name(how.pattern.type)), how.count, arguments.data());
  copy(reinterpret_cast<std::byte*>(&wrong), counted, sizeof wrong);
  if (wrong.looked != how.count) {
    throw Failure("GPU: the kernel that verifies looked at " + std::to_string(wrong.looked) +
                  " of " + std::to_string(how.count) +
                  " elements: nothing is known of the rest; check dmesg for the GPU's errors");
  }
  if (wrong.elements == 0) return {};
  std::array<std::byte, sizeof(std::uint64_t)> one{};
  copy(one.data(), buffer.data() + (wrong.first - how.first) * element, element);
  const std::span<const std::byte> value(one.data(), element);
  measure::Verdict verdict = how.reduced
                                 ? measure::verify_reduction(how.pattern, wrong.first, value)
                                 : measure::verify_copy(how.pattern, how.rank, wrong.first, value);
  if (verdict.wrong == 0) {
    verdict.first = "element " + std::to_string(wrong.first) +
                    " was wrong for the GPU and is right for the host that read it afterwards";
  }
  verdict.wrong = wrong.elements;
  verdict.first_at = wrong.first;
  return verdict;
}

const Device& open_device(int ordinal) {
  static std::map<int, std::unique_ptr<Device>> open;
  auto& device = open[ordinal];
  if (!device) device = std::make_unique<Device>(ordinal);
  return *device;
}

}  // namespace railgauge::gpu
