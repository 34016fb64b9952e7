#pragma once

#include <infiniband/verbs.h>

namespace railgauge::softroce {

/// Whether ibv_modify_qp() may take a queue pair of this type from one state to another with these
/// attributes: all that are required, none that is not allowed (InfiniBand volume 1, 10.3.1 and
/// table 91).
bool may_modify(ibv_qp_type type, ibv_qp_state from, ibv_qp_state to, int mask);

}  // namespace railgauge::softroce
