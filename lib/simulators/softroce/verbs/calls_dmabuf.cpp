// Registering memory by a DMA-buf. The errors and their order are the kernel's
// (uverbs_std_types_mr.c, umem_dmabuf.c): programs ask whether a device has it by a registration
// that must fail with EBADF.

#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "softroce/dmabuf/import.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {

namespace {

// IBV_ACCESS_OPTIONAL_RANGE are hints.
constexpr unsigned kOfDmabufs = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                                IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC | 0x3ff00000;

bool same_place_in_page(std::uint64_t one, std::uint64_t other) {
  return (one ^ other) % static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) == 0;
}

int import_as_allowed(const DmabufRange& range, Imported& out) {
  const int error = import_dmabuf(range, out);
  // As the mapping for a device behind an IOMMU that is full, which comes last.
  return error == 0 && range.length > Engine::settings().dmabuf_limit ? ENOMEM : error;
}

}  // namespace

ibv_mr* calls::reg_dmabuf_mr(ibv_pd* domain, std::uint64_t offset, std::size_t length,
                             std::uint64_t iova, int file, unsigned access) {
  if (!Engine::settings().dmabuf) return refuse(EOPNOTSUPP);
  if (!same_place_in_page(offset, iova) || (access & ~kOfDmabufs) != 0) return refuse(EINVAL);
  if (const int error = check_access(access)) return refuse(error);
  const bool writable = (access & IBV_ACCESS_LOCAL_WRITE) != 0;
  Imported imported;
  if (const int error = import_as_allowed({file, offset, length, iova, writable}, imported)) {
    return refuse(error);
  }
  // libibverbs has the offset for the address.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  auto* const address = reinterpret_cast<void*>(static_cast<std::uintptr_t>(offset));
  return add_region(domain, address, length, iova, access, imported);
}

}  // namespace railgauge::softroce
