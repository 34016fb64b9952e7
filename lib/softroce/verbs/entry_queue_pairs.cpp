// Queue pairs and shared receive queues.

#include "softroce/verbs/entry.hpp"

using namespace railgauge::softroce;

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
