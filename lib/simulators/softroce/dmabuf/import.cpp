#include "softroce/dmabuf/import.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "softroce/dmabuf/gpu_shadow.hpp"

namespace railgauge::softroce {

namespace {

enum class Kind { dma_buf, memfd, other };

Kind kind_of(int file) {
  constexpr std::uint32_t kDmabuf =
      0x444d4142;  // DMA_BUF_MAGIC, which Linux 5.3's headers have not
  struct statfs system {};
  if (fstatfs(file, &system) != 0) return Kind::other;
  switch (static_cast<std::uint32_t>(system.f_type)) {
    case kDmabuf: return Kind::dma_buf;
    case TMPFS_MAGIC:
    case HUGETLBFS_MAGIC: return Kind::memfd;
    default: return Kind::other;
  }
}

bool is_inside(const DmabufRange& range, Kind kind) {
  struct stat status {};
  if (fstat(range.file, &status) != 0) return false;
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  // No DMA-buf is empty; it has not said how long it is.
  return range.offset + range.length <= bytes || (kind == Kind::dma_buf && bytes == 0);
}

class Mapping final : public Backing {
 public:
  /// From the page that the range begins in.
  explicit Mapping(const DmabufRange& range)
      : skipped_(range.offset % static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))),
        bytes_(range.length + skipped_),
        start_(mmap(nullptr, bytes_, range.writable ? PROT_READ | PROT_WRITE : PROT_READ,
                    MAP_SHARED, range.file, static_cast<off_t>(range.offset - skipped_))) {}
  ~Mapping() override {
    if (is_there()) munmap(start_, bytes_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  bool is_there() const { return start_ != MAP_FAILED; }
  std::byte* first() const { return static_cast<std::byte*>(start_) + skipped_; }

 private:
  std::size_t skipped_;
  std::size_t bytes_;
  void* start_;
};

/// 0, or mmap()'s errno.
int map(const DmabufRange& range, Imported& out) {
  if (range.length == 0) return EINVAL;
  auto mapping = std::make_unique<Mapping>(range);
  if (!mapping->is_there()) return errno;
  out.bytes = mapping->first();
  out.backing = std::move(mapping);
  return 0;
}

int shadow(const DmabufRange& range, Imported& out) {
  int error = 0;
  auto made = gpu_shadow(range.iova, range.length, error);
  if (made == nullptr) return error;
  out.bytes = made->bytes();
  out.shadow = made.get();
  out.backing = std::move(made);
  return 0;
}

int unknown_memory(const DmabufRange& range) {
  std::fprintf(
      stderr,
      "softroce: a DMA-buf cannot be registered: its memory cannot be mapped, and its iova "
      "0x%llx is not the address of GPU memory that CUDA or HIP in this process has\n",
      static_cast<unsigned long long>(range.iova));
  return EOPNOTSUPP;
}

}  // namespace

int import_dmabuf(const DmabufRange& range, Imported& out) {
  if (range.offset + range.length < range.offset) return EINVAL;
  if (fcntl(range.file, F_GETFD) < 0) return EBADF;
  const Kind kind = kind_of(range.file);
  if (kind != Kind::other && !is_inside(range, kind)) return EINVAL;
  const int unmapped = kind == Kind::other ? EINVAL : map(range, out);
  if (unmapped == 0 || kind == Kind::memfd) return unmapped;
  const int error = shadow(range, out);
  if (error != EOPNOTSUPP) return error;
  return kind == Kind::dma_buf ? unknown_memory(range) : EINVAL;
}

}  // namespace railgauge::softroce
