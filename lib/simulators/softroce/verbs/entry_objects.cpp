// What a program makes on a device: memory regions, completion queues, queue pairs.

#include "softroce/verbs/entry.hpp"

using namespace railgauge::softroce;

// Protection domains and memory regions.

// Newer than the rdma-core this may be built with: what they point to is looked at nowhere but
// below.
struct ibv_buf;
struct ibv_dmah;
struct ibv_dmah_init_attr;
struct ibv_mr_init_attr;

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
  int file;
  std::uint64_t offset;
};
constexpr std::uint64_t kIova = 1;     // IBV_REG_MR_MASK_IOVA
constexpr std::uint64_t kAddress = 2;  // IBV_REG_MR_MASK_ADDR
constexpr std::uint64_t kFile = 4;     // IBV_REG_MR_MASK_FD: a DMA-buf
constexpr std::uint64_t kOffset = 8;   // IBV_REG_MR_MASK_FD_OFFSET; others: DMA handle, buffer

ibv_mr* register_as_asked(ibv_pd* pd, const ibv_mr_init_attr* attributes) {
  const auto& asked = *reinterpret_cast<const RegionRequest*>(attributes);
  constexpr std::uint64_t kByFile = kIova | kFile | kOffset;
  if ((asked.present & ~(kByFile | kAddress)) != 0) return refuse<ibv_mr*>(EOPNOTSUPP);
  if (asked.present == kByFile) {
    return calls::reg_dmabuf_mr(pd, asked.offset, asked.length, asked.iova, asked.file,
                                static_cast<unsigned>(asked.access));
  }
  if ((asked.present & ~(kIova)) != kAddress) return refuse<ibv_mr*>(EINVAL);
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
SOFTROCE_ENTRY(ibv_mr*, ibv_reg_dmabuf_mr,
               (ibv_pd * pd, std::uint64_t offset, std::size_t length, std::uint64_t iova, int file,
                int access),
               (pd, offset, length, iova, file, access), pd->context,
               calls::reg_dmabuf_mr(pd, offset, length, iova, file, static_cast<unsigned>(access)))
SOFTROCE_ENTRY(ibv_mr*, ibv_reg_mr_ex, (ibv_pd * pd, ibv_mr_init_attr* attributes),
               (pd, attributes), pd->context, register_as_asked(pd, attributes))
SOFTROCE_ENTRY(int, ibv_rereg_mr,
               (ibv_mr * region, int flags, ibv_pd* pd, void* address, std::size_t length,
                int access),
               (region, flags, pd, address, length, access), region->context,
               calls::rereg_mr(region, flags, pd, address, length, access))
SOFTROCE_ENTRY(int, ibv_dereg_mr, (ibv_mr * region), (region), region->context,
               calls::dereg_mr(region))

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

// Completion queues, their channels, and completion counters.

// Newer than the rdma-core this may be built with.
struct ibv_comp_cntr;
struct ibv_comp_cntr_caps;
struct ibv_comp_cntr_init_attr;
struct ibv_qp_attach_comp_cntr_attr;

SOFTROCE_ENTRY(ibv_comp_channel*, ibv_create_comp_channel, (ibv_context * context), (context),
               context, calls::create_comp_channel(context))
SOFTROCE_ENTRY(int, ibv_destroy_comp_channel, (ibv_comp_channel * channel), (channel),
               channel->context, calls::destroy_comp_channel(channel))
SOFTROCE_ENTRY(ibv_cq*, ibv_create_cq,
               (ibv_context * context, int entries, void* cq_context, ibv_comp_channel* channel,
                int vector),
               (context, entries, cq_context, channel, vector), context,
               calls::create_cq(context, entries, cq_context, channel, vector))
SOFTROCE_ENTRY(int, ibv_resize_cq, (ibv_cq * queue, int entries), (queue, entries), queue->context,
               calls::resize_cq(queue, entries))
SOFTROCE_ENTRY(int, ibv_destroy_cq, (ibv_cq * queue), (queue), queue->context,
               calls::destroy_cq(queue))
SOFTROCE_ENTRY(int, ibv_get_cq_event,
               (ibv_comp_channel * channel, ibv_cq** queue, void** cq_context),
               (channel, queue, cq_context), channel->context,
               calls::get_cq_event(channel, queue, cq_context))
SOFTROCE_ENTRY(void, ibv_ack_cq_events, (ibv_cq * queue, unsigned events), (queue, events),
               queue->context, calls::ack_cq_events(queue, events))

SOFTROCE_REFUSED(int, _ibv_query_comp_cntr_caps,
                 (ibv_context * context, ibv_comp_cntr_caps* capabilities, std::size_t size),
                 (context, capabilities, size), context)
SOFTROCE_REFUSED(ibv_comp_cntr*, ibv_create_comp_cntr,
                 (ibv_context * context, ibv_comp_cntr_init_attr* attributes),
                 (context, attributes), context)
SOFTROCE_REFUSED(int, ibv_qp_attach_comp_cntr,
                 (ibv_qp * pair, ibv_comp_cntr* counter, ibv_qp_attach_comp_cntr_attr* attributes),
                 (pair, counter, attributes), pair->context)

// Queue pairs and shared receive queues.

SOFTROCE_ENTRY(ibv_srq*, ibv_create_srq, (ibv_pd * pd, ibv_srq_init_attr* attributes),
               (pd, attributes), pd->context, calls::create_srq(pd, attributes))
SOFTROCE_ENTRY(int, ibv_modify_srq, (ibv_srq * queue, ibv_srq_attr* attributes, int mask),
               (queue, attributes, mask), queue->context,
               calls::modify_srq(queue, attributes, mask))
SOFTROCE_ENTRY(int, ibv_query_srq, (ibv_srq * queue, ibv_srq_attr* attributes), (queue, attributes),
               queue->context, calls::query_srq(queue, attributes))
SOFTROCE_ENTRY(int, ibv_destroy_srq, (ibv_srq * queue), (queue), queue->context,
               calls::destroy_srq(queue))

SOFTROCE_ENTRY(ibv_qp*, ibv_create_qp, (ibv_pd * pd, ibv_qp_init_attr* attributes),
               (pd, attributes), pd->context, calls::create_qp(pd, attributes))
SOFTROCE_ENTRY(ibv_qp_ex*, ibv_qp_to_qp_ex, (ibv_qp * pair), (pair), pair->context,
               calls::qp_to_qp_ex(pair))
SOFTROCE_ENTRY(int, ibv_modify_qp, (ibv_qp * pair, ibv_qp_attr* attributes, int mask),
               (pair, attributes, mask), pair->context, calls::modify_qp(pair, attributes, mask))
SOFTROCE_ENTRY(int, ibv_query_qp,
               (ibv_qp * pair, ibv_qp_attr* attributes, int mask, ibv_qp_init_attr* initial),
               (pair, attributes, mask, initial), pair->context,
               calls::query_qp(pair, attributes, mask, initial))
SOFTROCE_ENTRY(int, ibv_destroy_qp, (ibv_qp * pair), (pair), pair->context, calls::destroy_qp(pair))

/// 0 is "in no order that one could rely on", the only answer that is right whatever the path.
SOFTROCE_ENTRY(int, ibv_query_qp_data_in_order,
               (ibv_qp * pair, ibv_wr_opcode operation, std::uint32_t flags),
               (pair, operation, flags), pair->context, 0)
SOFTROCE_REFUSED(int, ibv_attach_mcast, (ibv_qp * pair, const ibv_gid* gid, std::uint16_t lid),
                 (pair, gid, lid), pair->context)
SOFTROCE_REFUSED(int, ibv_detach_mcast, (ibv_qp * pair, const ibv_gid* gid, std::uint16_t lid),
                 (pair, gid, lid), pair->context)
SOFTROCE_REFUSED(int, ibv_set_ece, (ibv_qp * pair, ibv_ece* ece), (pair, ece), pair->context)
SOFTROCE_REFUSED(int, ibv_query_ece, (ibv_qp * pair, ibv_ece* ece), (pair, ece), pair->context)
