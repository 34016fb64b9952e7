#pragma once

#include "softroce/cm/identifier.hpp"

namespace railgauge::softroce::cm {

// An identifier as the answers of <rdma/rdma_user_cm.h> describe it.

rdma_ucm_query_addr_resp addresses_of(const Identifier& identifier);
/// The GIDs in the place of the addresses, as sockaddr_ib.
rdma_ucm_query_addr_resp gids_of(const Identifier& identifier);
rdma_ucm_query_route_resp route_of(const Identifier& identifier);

/// rdma_ucm_query_path_resp with its one path.
struct Paths {
  std::uint32_t num_paths = 0;
  std::uint32_t reserved = 0;
  ib_path_rec_data path{};
};
Paths paths_of(const Identifier& identifier);

ib_uverbs_qp_attr for_user(const ibv_qp_attr& attributes, int mask);

}  // namespace railgauge::softroce::cm
