// Memory of GPUs, registered for NICs.

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include "verbs/error.hpp"
#include "verbs/memory.hpp"

namespace railgauge::verbs {
namespace {

// As register_memory().
constexpr int kAccess =
    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_RELAXED_ORDERING;

constexpr std::size_t kLeastPiece = std::size_t{1} << 20;

/// Modules by which the kernel asks a GPU's driver for its pages.
bool has_peer_memory() {
  return ::access("/sys/module/nvidia_peermem", F_OK) == 0 ||
         ::access("/sys/kernel/mm/memory_peers", F_OK) == 0;
}

ibv_mr* register_piece(ibv_pd& domain, const DeviceSlice& slice, std::size_t begin,
                       std::size_t bytes) {
  std::byte* const at = slice.memory.data() + begin;
  if (slice.dma_buf < 0 && !has_peer_memory()) {
    errno = EOPNOTSUPP;
    return nullptr;
  }
  if (slice.dma_buf < 0) return ibv_reg_mr(&domain, at, bytes, kAccess);
  return ibv_reg_dmabuf_mr(&domain, slice.offset + begin, bytes,
                           reinterpret_cast<std::uintptr_t>(at), slice.dma_buf, kAccess);
}

/// All pieces of this size, or none, and then the reason.
struct Attempt {
  Pieces pieces{};
  int error = 0;
};

Attempt register_pieces(ibv_pd& domain, const DeviceSlice& slice, std::size_t piece,
                        std::size_t overlap) {
  Attempt attempt;
  const std::size_t all = slice.memory.size();
  for (std::size_t begin = 0; begin < all; begin += piece) {
    const std::size_t bytes = std::min(piece + overlap, all - begin);
    ibv_mr* const region = register_piece(domain, slice, begin, bytes);
    if (region == nullptr) return {.error = errno};
    attempt.pieces.regions.emplace_back(region);
  }
  return attempt;
}

std::string remedy(int error, bool dma_buf) {
  switch (error) {
    case EOPNOTSUPP:
    case EPROTONOSUPPORT:
      return std::string(dma_buf ? "the NIC's driver takes" : "the GPU's driver exports") +
             " no dma-buf, and no peer memory module is loaded; use Linux 5.12 or later with "
             "NVIDIA's open kernel modules, or for AMD with CONFIG_PCI_P2PDMA and "
             "CONFIG_DMABUF_MOVE_NOTIFY, or load nvidia_peermem or amdgpu's peer memory";
    case EFAULT: return "the NIC cannot map the GPU's memory; check ACS and the IOMMU of the host";
    case EBADF: return "the file of the dma-buf is closed: this is a fault of the program";
    case EINVAL: return "the memory begins or ends off the GPU's pages, or outside the dma-buf";
    case ENOMEM:
      return "the kernel maps no piece that large; give the IOMMU more room (iommu=pt), or use "
             "smaller sizes";
    default: return "see the kernel's log (dmesg)";
  }
}

[[noreturn]] void refuse(int error, const ibv_pd& domain, const DeviceSlice& slice) {
  const bool dma_buf = slice.dma_buf >= 0;
  fail(error, std::string(dma_buf ? "ibv_reg_dmabuf_mr" : "ibv_reg_mr") + " of " +
                  std::to_string(slice.memory.size()) + " bytes of GPU memory on " +
                  domain.context->device->name + " (" + remedy(error, dma_buf) + ")");
}

}  // namespace

Pieces register_device(ibv_pd& domain, const DeviceSlice& slice, std::size_t overlap) {
  const std::size_t all = slice.memory.size();
  Attempt attempt = register_pieces(domain, slice, all, 0);
  const bool no_dma_buf = attempt.error == EOPNOTSUPP || attempt.error == EPROTONOSUPPORT;
  if (no_dma_buf && slice.dma_buf >= 0 && has_peer_memory()) {
    return register_device(domain, {.memory = slice.memory}, overlap);
  }
  std::size_t piece = std::bit_floor(all) / 2;
  for (; attempt.error == ENOMEM && piece >= std::max(kLeastPiece, overlap); piece /= 2) {
    if ((all + piece - 1) / piece > kMostPieces) break;
    attempt = register_pieces(domain, slice, piece, overlap);
    attempt.pieces.shift = static_cast<unsigned>(std::countr_zero(piece));
  }
  if (attempt.error != 0) refuse(attempt.error, domain, slice);
  return std::move(attempt.pieces);
}

}  // namespace railgauge::verbs
