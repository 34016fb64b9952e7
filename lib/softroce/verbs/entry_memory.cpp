// Protection domains and memory regions.

#include "softroce/verbs/entry.hpp"

// Newer than the rdma-core this may be built with: what they point to is looked at nowhere but
// below.
struct ibv_buf;
struct ibv_dmah;
struct ibv_dmah_init_attr;
struct ibv_mr_init_attr;

using namespace railgauge::softroce;

namespace {

std::uint64_t number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

/// The beginning of rdma-core 60's ibv_mr_init_attr, which later ones only lengthen.
struct RegionRequest {
  std::size_t length;
  int access;
  std::uint64_t present;  ///< which of the following are set: kIova, kAddress, ...
  std::uint64_t iova;
  void* address;
};
constexpr std::uint64_t kIova = 1;     // IBV_REG_MR_MASK_IOVA
constexpr std::uint64_t kAddress = 2;  // IBV_REG_MR_MASK_ADDR; others: DMA-buf, DMA handle, buffer

ibv_mr* register_as_asked(ibv_pd* pd, const ibv_mr_init_attr* attributes) {
  const auto& asked = *reinterpret_cast<const RegionRequest*>(attributes);
  if ((asked.present & ~(kIova | kAddress)) != 0) return refuse<ibv_mr*>(EOPNOTSUPP);
  if ((asked.present & kAddress) == 0) return refuse<ibv_mr*>(EINVAL);
  const std::uint64_t iova = (asked.present & kIova) != 0 ? asked.iova : number(asked.address);
  return calls::reg_mr(pd, asked.address, asked.length, iova, static_cast<unsigned>(asked.access));
}

}  // namespace

SOFTROCE_ENTRY(ibv_pd*, ibv_alloc_pd, (ibv_context * context), (context), context,
               calls::alloc_pd(context))
SOFTROCE_ENTRY(int, ibv_dealloc_pd, (ibv_pd * pd), (pd), pd->context, calls::dealloc_pd(pd))

SOFTROCE_ENTRY(ibv_mr*, ibv_reg_mr, (ibv_pd * pd, void* address, std::size_t length, int access),
               (pd, address, length, access), pd->context,
               calls::reg_mr(pd, address, length, number(address), static_cast<unsigned>(access)))
SOFTROCE_ENTRY(ibv_mr*, ibv_reg_mr_iova,
               (ibv_pd * pd, void* address, std::size_t length, std::uint64_t iova, int access),
               (pd, address, length, iova, access), pd->context,
               calls::reg_mr(pd, address, length, iova, static_cast<unsigned>(access)))
SOFTROCE_ENTRY(ibv_mr*, ibv_reg_mr_iova2,
               (ibv_pd * pd, void* address, std::size_t length, std::uint64_t iova,
                unsigned access),
               (pd, address, length, iova, access), pd->context,
               calls::reg_mr(pd, address, length, iova, access))
SOFTROCE_ENTRY(ibv_mr*, ibv_reg_mr_ex, (ibv_pd * pd, ibv_mr_init_attr* attributes),
               (pd, attributes), pd->context, register_as_asked(pd, attributes))
SOFTROCE_ENTRY(int, ibv_rereg_mr,
               (ibv_mr * region, int flags, ibv_pd* pd, void* address, std::size_t length,
                int access),
               (region, flags, pd, address, length, access), region->context,
               calls::rereg_mr(region, flags, pd, address, length, access))
SOFTROCE_ENTRY(int, ibv_dereg_mr, (ibv_mr * region), (region), region->context,
               calls::dereg_mr(region))

SOFTROCE_REFUSED(ibv_mr*, ibv_reg_dmabuf_mr,
                 (ibv_pd * pd, std::uint64_t offset, std::size_t length, std::uint64_t iova,
                  int file, int access),
                 (pd, offset, length, iova, file, access), pd->context)
SOFTROCE_REFUSED(ibv_dmah*, ibv_alloc_dmah, (ibv_context * context, ibv_dmah_init_attr* attributes),
                 (context, attributes), context)
SOFTROCE_REFUSED(void*, ibv_alloc_buf, (ibv_pd * pd, std::size_t size, ibv_buf** buffer),
                 (pd, size, buffer), pd->context)
SOFTROCE_REFUSED(ibv_buf*, ibv_alloc_user_buf,
                 (ibv_pd * pd, void* address, std::size_t size, int file),
                 (pd, address, size, file), pd->context)
SOFTROCE_REFUSED(ibv_mr*, ibv_reg_buf_mr,
                 (ibv_pd * pd, ibv_buf* buffer, void* address, std::size_t length, int access),
                 (pd, buffer, address, length, access), pd->context)

// An object goes to another process with its device's file, and a soft device has none.
SOFTROCE_REFUSED(ibv_pd*, ibv_import_pd, (ibv_context * context, std::uint32_t handle),
                 (context, handle), context)
SOFTROCE_REFUSED(void, ibv_unimport_pd, (ibv_pd * pd), (pd), pd->context)
SOFTROCE_REFUSED(ibv_mr*, ibv_import_mr, (ibv_pd * pd, std::uint32_t handle), (pd, handle),
                 pd->context)
SOFTROCE_REFUSED(void, ibv_unimport_mr, (ibv_mr * region), (region), region->context)
SOFTROCE_REFUSED(ibv_dm*, ibv_import_dm, (ibv_context * context, std::uint32_t handle),
                 (context, handle), context)
