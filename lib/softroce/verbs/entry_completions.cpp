// Completion queues, their channels, and completion counters.

#include "softroce/verbs/entry.hpp"

// Newer than the rdma-core this may be built with.
struct ibv_comp_cntr;
struct ibv_comp_cntr_caps;
struct ibv_comp_cntr_init_attr;
struct ibv_qp_attach_comp_cntr_attr;

using namespace railgauge::softroce;

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
