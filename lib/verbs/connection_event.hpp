#pragma once

#include <rdma/rdma_cma.h>

#include <string>
#include <string_view>

namespace railgauge::verbs {

/// What an event of librdmacm means for a connection: "the peer refused". Never empty.
std::string_view meaning(rdma_cm_event_type event);

/// An event and its status for a message: "RDMA_CM_EVENT_REJECTED: the peer refused (nobody listens
/// on that port)". A negative status is an errno value; that of a rejection is the reason code of
/// the InfiniBand connection manager.
std::string describe(rdma_cm_event_type event, int status);

}  // namespace railgauge::verbs
