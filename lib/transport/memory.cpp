#include "transport/memory.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace railgauge::transport {
namespace {

constexpr std::size_t kPageBytes = 4096;

[[noreturn]] void fail(const char* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

/// What this process has mapped, by device and inode: no other file gets that number while the
/// mapping lives.
struct Mapped {
  std::mutex mutex;
  std::map<std::pair<dev_t, ino_t>, std::weak_ptr<SharedMapping>> by_inode;
};

Mapped& mapped() {
  static Mapped all;
  return all;
}

/// The kernel promises a memfd of any size and then kills a process that uses too much of it. It
/// refuses a size it cannot provide only for ordinary memory, so ask for that.
bool would_grant(std::size_t bytes) {
  const std::size_t size = std::max(bytes, kPageBytes);
  void* at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at != MAP_FAILED && munmap(at, size) == 0;
}

/// MAP_POPULATE makes the owner, who maps it first, place all pages on its own NUMA node; a peer
/// that maps it later finds them there and takes no page faults when it writes.
std::shared_ptr<SharedMapping> map(const FileHandle& file, std::size_t bytes) {
  void* at =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file.number(), 0);
  if (at == MAP_FAILED) fail("mapping shared memory");
  return std::make_shared<SharedMapping>(std::span(static_cast<std::byte*>(at), bytes));
}

}  // namespace

std::shared_ptr<SharedMapping> SharedMapping::of(const FileHandle& file) {
  struct stat about {};
  if (fstat(file.number(), &about) != 0) fail("fstat on shared memory");
  Mapped& all = mapped();
  const std::scoped_lock lock(all.mutex);
  std::erase_if(all.by_inode, [](const auto& entry) { return entry.second.expired(); });
  auto& known = all.by_inode[{about.st_dev, about.st_ino}];
  auto mapping = known.lock();
  if (!mapping) known = mapping = map(file, static_cast<std::size_t>(about.st_size));
  return mapping;
}

SharedMapping::~SharedMapping() {
  munmap(bytes_.data(), bytes_.size());
}

FileHandle make_shared_memory(std::size_t bytes) {
  if (!would_grant(bytes)) {
    throw std::runtime_error("no shared memory for a buffer of " + std::to_string(bytes) +
                             " bytes; smaller sizes need less");
  }
  FileHandle file(memfd_create("railgauge", MFD_CLOEXEC));
  if (file.number() < 0) fail("memfd_create");
  const std::size_t size = std::max(bytes, kPageBytes);
  if (ftruncate(file.number(), static_cast<off_t>(size)) != 0) fail("ftruncate on shared memory");
  return file;
}

}  // namespace railgauge::transport
