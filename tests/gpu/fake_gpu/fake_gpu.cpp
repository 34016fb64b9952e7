// A driver without a GPU: the part that railgauge and softroce use of CUDA's (libcuda.so.1), and,
// with hip_face-inl.hpp, of HIP (libamdhip64.so.6). Its memory lies where no processor may touch
// it, so that who takes it for the host's is stopped. What a stream is told is done no sooner than
// somebody asks for its end a third time, so that who does not wait finds old data. The kernels are
// those of fake_kernels.cpp.
//
// RAILGAUGE_FAKE_GPU has its faults and habits, joined by commas:
//   version=11060  gpus=0  dma-buf=off  dma-buf=mappable  flush=needed  memory=1048576
//   compiles=no  (HIP)
//   owner=device (memory belongs to no context, as of cuMemCreate)
//   leaks=told (at the end of the process)
//   broken-after=100 (from so many launches on, the device has failed)
//   verifies=no (the kernels that check are launched, and do nothing)

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "gpu/kernel_arguments.hpp"

namespace {

using namespace railgauge;
using Status = int;
constexpr Status kSuccess = 0;
constexpr Status kInvalidValue = 1;
constexpr Status kOutOfMemory = 2;
constexpr Status kNoDevice = 100;
constexpr Status kNotFound = 500;
constexpr Status kNotReady = 600;
constexpr Status kIllegalAddress = 700;
constexpr Status kNotSupported = 801;

// HIP's memory begins inside its dma-buf, and kernels find the host's at other addresses.
#ifdef RAILGAUGE_FAKE_HIP
constexpr std::size_t kBefore = 65536;
constexpr const char* kName = "Fake AMD GPU";
#else
constexpr std::size_t kBefore = 0;
constexpr const char* kName = "Fake GPU";
#endif

std::string habit(const std::string& name, const std::string& otherwise) {
  const char* const all = std::getenv("RAILGAUGE_FAKE_GPU");
  const std::string text = "," + std::string(all == nullptr ? "" : all) + ",";
  const auto at = text.find("," + name + "=");
  if (at == std::string::npos) return otherwise;
  const auto begin = at + name.size() + 2;
  return text.substr(begin, text.find(',', begin) - begin);
}

/// Addresses that only the device has, and the same memory for the device's use.
struct Block {
  std::byte* device = nullptr;
  std::byte* own = nullptr;
  std::size_t bytes = 0;
  int file = -1;
};

/// Memory of the host, at the device's address.
struct Registered {
  std::byte* memory = nullptr;
  std::size_t bytes = 0;
};

struct Stream {
  std::deque<std::function<void()>> told;
  std::uint64_t begun = 0;  // told and done, since it was made
  int looks = 0;
};

struct Event {
  Stream* stream = nullptr;
  std::uint64_t after = 0;  // it is ready once so much of the stream is done
  int looks = 0;
};

struct Fake {
  std::recursive_mutex mutex;
  std::map<std::byte*, Block> blocks;  // by their ends
  std::map<std::uint64_t, Registered> registered;
  std::set<Stream*> streams;
  std::set<Event*> events;
  int contexts = 0;
  int modules = 0;
  int launches = 0;
  std::size_t allocated = 0;
};

/// Never destroyed: who keeps a GPU open to the end of the process closes it after that.
Fake& fake() {
  static Fake& all = *new Fake;
  return all;
}

using Lock = std::scoped_lock<std::recursive_mutex>;

bool broken() {
  return fake().launches > std::stoi(habit("broken-after", "2000000000"));
}

std::byte* pointer(std::uint64_t address) {
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
}

/// What the device has at an address of its own, or of the host.
const Block* block_at(std::uint64_t address) {
  const auto found = fake().blocks.upper_bound(pointer(address));
  if (found == fake().blocks.end() || pointer(address) < found->second.device) return nullptr;
  return &found->second;
}

const std::pair<const std::uint64_t, Registered>* registered_at(std::uint64_t address) {
  const auto next = fake().registered.upper_bound(address);
  if (next == fake().registered.begin()) return nullptr;
  const auto& last = *std::prev(next);
  return address - last.first < last.second.bytes ? &last : nullptr;
}

std::byte* at(std::uint64_t address) {
  if (const Block* const block = block_at(address))
    return block->own + (pointer(address) - block->device);
  const auto* const host = registered_at(address);
  return host == nullptr ? pointer(address) : host->second.memory + (address - host->first);
}

/// Whether a kernel gets at so many bytes there: the device's own, or the host's if registered.
bool reaches(std::uint64_t address, std::size_t bytes) {
  if (block_at(address) != nullptr) return true;
  const auto* const host = registered_at(address);
  return host != nullptr && address + bytes <= host->first + host->second.bytes;
}

/// 0 if it is registered already.
std::uint64_t add_registered(void* memory, std::size_t bytes) {
  auto on_device = reinterpret_cast<std::uintptr_t>(memory);
#ifdef RAILGAUGE_FAKE_HIP
  constexpr std::size_t kPage = 4096;
  on_device = on_device % kPage + reinterpret_cast<std::uintptr_t>(
                                      mmap(nullptr, bytes + kPage, PROT_NONE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
#endif
  const Registered host{static_cast<std::byte*>(memory), bytes};
  return fake().registered.emplace(on_device, host).second ? on_device : 0;
}

bool remove_registered(void* memory) {
  for (const auto& [on_device, host] : fake().registered) {
    if (host.memory != memory) continue;
#ifdef RAILGAUGE_FAKE_HIP
    constexpr std::size_t kPage = 4096;
    munmap(pointer(on_device - on_device % kPage), host.bytes + kPage);
#endif
    fake().registered.erase(on_device);
    return true;
  }
  return false;
}

void run_until(Stream& stream, std::uint64_t end) {
  while (stream.begun < end && !stream.told.empty()) {
    const auto next = std::move(stream.told.front());
    stream.told.pop_front();
    ++stream.begun;
    next();
  }
}

void tell(void* stream, std::function<void()> work) {
  static_cast<Stream*>(stream)->told.push_back(std::move(work));
}

template <class T>
T argument(void** arguments, int number) {
  T value;
  std::memcpy(&value, arguments[number], sizeof value);
  return value;
}

/// A kernel of this library.
struct Kernel {
  std::string name;  // "combine_float"
  void* function = nullptr;
};

void* own_function(const std::string& name) {
  Dl_info self{};
  if (dladdr(reinterpret_cast<void*>(&own_function), &self) == 0) return nullptr;
  void* const library = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  void* const found = dlsym(library, name.c_str());
  dlclose(library);
  return found;
}

/// Those that some module was asked for.
const Kernel* kernel_of(const std::string& name) {
  static auto& all = *new std::map<std::string, Kernel>;
  void* const function = own_function(name);
  return function == nullptr ? nullptr : &(all[name] = {name, function});
}

std::size_t element_bytes(const std::string& kernel) {
  const auto type = reduce::element_type(kernel.substr(kernel.find('_') + 1));
  return reduce::size_bytes(type.value());
}

/// The work of a launch; empty if the kernel does not get at what it is given.
std::function<void()> launched(const Kernel& kernel, void** arguments) {
  void* const function = kernel.function;
  const auto first = argument<std::uint64_t>(arguments, 0);
  if (kernel.name.starts_with("fill_")) {
    const auto how = argument<gpu::Filling>(arguments, 1);
    return [=] { reinterpret_cast<void (*)(void*, gpu::Filling)>(function)(at(first), how); };
  }
  if (kernel.name.starts_with("check_")) {
    if (habit("verifies", "") == "no") return [] {};
    const auto how = argument<gpu::Check>(arguments, 1);
    const auto wrong = argument<std::uint64_t>(arguments, 2);
    return [=] {
      reinterpret_cast<void (*)(void*, gpu::Check, void*)>(function)(at(first), how, at(wrong));
    };
  }
  const auto a = argument<std::uint64_t>(arguments, 1);
  const auto b = argument<std::uint64_t>(arguments, 2);
  const auto how = argument<gpu::Combination>(arguments, 3);
  for (const std::uint64_t one : {first, a, b}) {
    if (!reaches(one, how.count * element_bytes(kernel.name))) return {};
  }
  return [=] {
    reinterpret_cast<void (*)(void*, void*, void*, gpu::Combination)>(function)(at(first), at(a),
                                                                                at(b), how);
  };
}

}  // namespace

extern "C" int fake_gpu_live();

namespace {

/// At the end of the process.
struct Census {
  ~Census() {
    const int left = fake_gpu_live();
    if (habit("leaks", "") == "told" && left > 0)
      std::fprintf(stderr, "fake_gpu: %d objects are left\n", left);
  }
};
const Census census;

}  // namespace

extern "C" {

/// Objects that were made and not destroyed.
int fake_gpu_live() {
  const Lock lock(fake().mutex);
  return static_cast<int>(fake().blocks.size() + fake().registered.size() + fake().streams.size() +
                          fake().events.size()) +
         fake().contexts + fake().modules;
}

Status cuInit(unsigned) {
  return habit("gpus", "1") == "0" ? kNoDevice : kSuccess;
}

Status cuDriverGetVersion(int* version) {
  *version = std::stoi(habit("version", "13000"));
  return kSuccess;
}

Status cuDeviceGetCount(int* count) {
  *count = std::stoi(habit("gpus", "1"));
  return kSuccess;
}

Status cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal < std::stoi(habit("gpus", "1")) ? kSuccess : kInvalidValue;
}

Status cuDeviceGetName(char* name, int bytes, int) {
  std::snprintf(name, static_cast<std::size_t>(bytes), "%s", kName);
  return kSuccess;
}

Status cuDeviceGetPCIBusId(char* id, int bytes, int device) {
  std::snprintf(id, static_cast<std::size_t>(bytes), "0000:%02X:00.0", 0x1b + device);
  return kSuccess;
}

Status cuDeviceGetAttribute(int* value, int attribute, int) {
  const bool flush = habit("flush", "") == "needed";
  switch (attribute) {
    case 16: *value = 4; break;
    case 117: *value = 1; break;
    case 118: *value = flush ? 0 : 100; break;
    case 124: *value = habit("dma-buf", "on") == "off" ? 0 : 1; break;
    default: return kInvalidValue;
  }
  return kSuccess;
}

Status cuDevicePrimaryCtxRetain(void** context, int) {
  const Lock lock(fake().mutex);
  *context = &fake();
  ++fake().contexts;
  return kSuccess;
}

Status cuDevicePrimaryCtxRelease_v2(int) {
  const Lock lock(fake().mutex);
  --fake().contexts;
  return kSuccess;
}

namespace {
thread_local void* current = nullptr;
}

Status cuCtxSetCurrent(void* context) {
  current = context;
  return kSuccess;
}
Status cuCtxGetCurrent(void** context) {
  *context = current;
  return kSuccess;
}

Status cuMemAlloc_v2(std::uint64_t* memory, std::size_t bytes) {
  const Lock lock(fake().mutex);
  if (current == nullptr) return kInvalidValue;
  const std::size_t most = std::stoull(habit("memory", "1099511627776"));
  if (fake().allocated + bytes > most) return kOutOfMemory;
  Block block{.bytes = bytes, .file = memfd_create("fake GPU", MFD_CLOEXEC)};
  if (ftruncate(block.file, static_cast<off_t>(kBefore + bytes)) != 0) return kOutOfMemory;
  block.own = static_cast<std::byte*>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, block.file, kBefore));
  block.device = static_cast<std::byte*>(
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  fake().allocated += bytes;
  fake().blocks[block.device + bytes] = block;
  *memory = reinterpret_cast<std::uintptr_t>(block.device);
  return kSuccess;
}

Status cuMemFree_v2(std::uint64_t memory) {
  const Lock lock(fake().mutex);
  const Block* const found = block_at(memory);
  if (found == nullptr || found->device != pointer(memory)) return kInvalidValue;
  const Block block = *found;
  munmap(block.own, block.bytes);
  munmap(block.device, block.bytes);
  close(block.file);
  fake().allocated -= block.bytes;
  fake().blocks.erase(block.device + block.bytes);
  return kSuccess;
}

Status cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  const Lock lock(fake().mutex);
  *memory = std::calloc(1, bytes);
  return add_registered(*memory, bytes) == 0 ? kInvalidValue : kSuccess;
}

Status cuMemFreeHost(void* memory) {
  const Lock lock(fake().mutex);
  if (!remove_registered(memory)) return kInvalidValue;
  std::free(memory);
  return kSuccess;
}

Status cuMemGetHandleForAddressRange(void* handle, std::uint64_t memory, std::size_t bytes,
                                     int type, unsigned long long) {
  const Lock lock(fake().mutex);
  const Block* const block = block_at(memory);
  if (type != 1 || block == nullptr || memory % 4096 != 0 || bytes % 4096 != 0)
    return kInvalidValue;
  if (habit("dma-buf", "on") == "off") return kNotSupported;
  // As of a GPU, it cannot be mapped: the end of a pipe.
  int ends[2] = {dup(block->file), -1};
  if (habit("dma-buf", "on") != "mappable") {
    close(ends[0]);
    if (pipe2(ends, O_CLOEXEC) != 0) return kNotSupported;
    close(ends[1]);
  }
  std::memcpy(handle, ends, sizeof(int));
  return kSuccess;
}

Status cuPointerSetAttribute(const void*, int, std::uint64_t) {
  return kSuccess;
}

Status cuPointerGetAttribute(void* value, int attribute, std::uint64_t memory) {
  const Lock lock(fake().mutex);
  if (block_at(memory) == nullptr) return kInvalidValue;
  if (attribute == 1) {
    void* const context = habit("owner", "context") == "device" ? nullptr : &fake();
    std::memcpy(value, &context, sizeof context);
    return kSuccess;
  }
  const unsigned device_memory = 2;
  if (attribute == 2) std::memcpy(value, &device_memory, sizeof device_memory);
  if (attribute == 9) std::memset(value, 0, sizeof(int));
  return attribute == 2 || attribute == 9 ? kSuccess : kInvalidValue;
}

Status cuMemHostRegister_v2(void* memory, std::size_t bytes, unsigned) {
  const Lock lock(fake().mutex);
  return add_registered(memory, bytes) == 0 ? kInvalidValue : kSuccess;
}

Status cuMemHostGetDevicePointer_v2(std::uint64_t* address, void* memory, unsigned) {
  const Lock lock(fake().mutex);
  for (const auto& [on_device, host] : fake().registered) {
    if (host.memory != memory) continue;
    *address = on_device;
    return kSuccess;
  }
  return kInvalidValue;
}

Status cuMemHostUnregister(void* memory) {
  const Lock lock(fake().mutex);
  return remove_registered(memory) ? kSuccess : kInvalidValue;
}

Status cuMemcpy(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  const Lock lock(fake().mutex);
  if (current == nullptr) return kInvalidValue;
  std::memmove(at(to), at(from), bytes);
  return kSuccess;
}

Status cuMemcpyAsync(std::uint64_t to, std::uint64_t from, std::size_t bytes, void* stream) {
  const Lock lock(fake().mutex);
  if (current == nullptr) return kInvalidValue;
  tell(stream, [=] { std::memmove(at(to), at(from), bytes); });
  return kSuccess;
}
Status cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void* stream) {
  const Lock lock(fake().mutex);
  if (block_at(from) == nullptr) return kInvalidValue;
  return cuMemcpyAsync(reinterpret_cast<std::uintptr_t>(to), from, bytes, stream);
}
Status cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void* stream) {
  const Lock lock(fake().mutex);
  if (block_at(to) == nullptr) return kInvalidValue;
  return cuMemcpyAsync(to, reinterpret_cast<std::uintptr_t>(from), bytes, stream);
}

Status cuMemsetD8Async(std::uint64_t memory, unsigned char value, std::size_t bytes, void* stream) {
  const Lock lock(fake().mutex);
  if (current == nullptr || block_at(memory) == nullptr) return kInvalidValue;
  tell(stream, [=] { std::memset(at(memory), value, bytes); });
  return kSuccess;
}

Status cuStreamCreate(void** stream, unsigned) {
  const Lock lock(fake().mutex);
  if (current == nullptr) return kInvalidValue;
  *stream = *fake().streams.insert(new Stream).first;
  return kSuccess;
}

Status cuStreamDestroy_v2(void* stream) {
  const Lock lock(fake().mutex);
  if (fake().streams.erase(static_cast<Stream*>(stream)) == 0) return kInvalidValue;
  delete static_cast<Stream*>(stream);
  return kSuccess;
}

Status cuStreamSynchronize(void* stream) {
  const Lock lock(fake().mutex);
  if (broken()) return kIllegalAddress;
  auto& one = *static_cast<Stream*>(stream);
  run_until(one, one.begun + one.told.size());
  return kSuccess;
}

/// As cuEventQuery of all that it was told so far.
Status cuStreamQuery(void* stream) {
  const Lock lock(fake().mutex);
  if (broken()) return kIllegalAddress;
  auto& one = *static_cast<Stream*>(stream);
  constexpr int kLooks = 3;
  if (one.told.empty()) return kSuccess;
  if (++one.looks % kLooks != 0) return kNotReady;
  run_until(one, one.begun + one.told.size());
  return kSuccess;
}

Status cuEventCreate(void** event, unsigned) {
  const Lock lock(fake().mutex);
  if (current == nullptr) return kInvalidValue;
  *event = *fake().events.insert(new Event).first;
  return kSuccess;
}

Status cuEventDestroy_v2(void* event) {
  const Lock lock(fake().mutex);
  if (fake().events.erase(static_cast<Event*>(event)) == 0) return kInvalidValue;
  delete static_cast<Event*>(event);
  return kSuccess;
}

Status cuEventRecord(void* event, void* stream) {
  const Lock lock(fake().mutex);
  auto& one = *static_cast<Stream*>(stream);
  *static_cast<Event*>(event) = {&one, one.begun + one.told.size(), 0};
  return kSuccess;
}

Status cuEventQuery(void* event) {
  const Lock lock(fake().mutex);
  if (broken()) return kIllegalAddress;
  auto& one = *static_cast<Event*>(event);
  constexpr int kLooks = 3;
  if (one.stream == nullptr || one.stream->begun >= one.after) return kSuccess;
  if (++one.looks < kLooks) return kNotReady;
  run_until(*one.stream, one.after);
  return kSuccess;
}

Status cuEventElapsedTime(float* milliseconds, void*, void*) {
  *milliseconds = 0.001F;
  return kSuccess;
}

Status cuModuleLoadData(void** module, const void* image) {
  const Lock lock(fake().mutex);
  const char* const text = static_cast<const char*>(image);
  if (std::strstr(text, ".version") == nullptr) return kInvalidValue;
  *module = const_cast<char*>(text);
  ++fake().modules;
  return kSuccess;
}

Status cuModuleUnload(void*) {
  const Lock lock(fake().mutex);
  --fake().modules;
  return kSuccess;
}

/// The text has to have it, as the GPU's driver would want.
Status cuModuleGetFunction(void** function, void* module, const char* name) {
  const Lock lock(fake().mutex);
  const std::string entry = ".entry " + std::string(name) + "(";
  const bool named = std::strstr(static_cast<const char*>(module), entry.c_str()) != nullptr;
  *function = const_cast<Kernel*>(named ? kernel_of(name) : nullptr);
  return *function == nullptr ? kNotFound : kSuccess;
}

Status cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                      unsigned, void* stream, void** arguments, void**) {
  const Lock lock(fake().mutex);
  if (current == nullptr) return kInvalidValue;
  ++fake().launches;
  if (broken()) return kIllegalAddress;
  std::function<void()> work = launched(*static_cast<const Kernel*>(function), arguments);
  if (!work) return kIllegalAddress;
  tell(stream, std::move(work));
  return kSuccess;
}

Status cuFlushGPUDirectRDMAWrites(int, int) {
  return kSuccess;
}

Status cuGetErrorString(Status status, const char** text) {
  static const std::map<Status, const char*> kTexts{
      {kSuccess, "no error"},
      {kInvalidValue, "invalid argument"},
      {kOutOfMemory, "out of memory"},
#ifdef RAILGAUGE_FAKE_HIP
      {kNoDevice, "no ROCm-capable device is detected"},
#else
      {kNoDevice, "no CUDA-capable device is detected"},
#endif
      {kNotFound, "named symbol not found"},
      {kNotReady, "device not ready"},
      {kIllegalAddress, "an illegal memory access was encountered"},
      {kNotSupported, "operation not supported"}};
  const auto found = kTexts.find(status);
  if (found == kTexts.end()) return kInvalidValue;
  *text = found->second;
  return kSuccess;
}

#ifdef RAILGAUGE_FAKE_HIP
#include "gpu/fake_gpu/hip_face-inl.hpp"
#endif

}  // extern "C"
