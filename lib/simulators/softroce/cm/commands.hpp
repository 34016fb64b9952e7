#pragma once

#include <memory>
#include <span>

#include "softroce/cm/manager.hpp"

namespace railgauge::softroce::cm {

/// The channel that a descriptor of the program stands for; null if it is none of ours.
using Lookup = std::shared_ptr<Channel> (*)(int descriptor);

/// Executes what a program has written to /dev/infiniband/rdma_cm: struct rdma_ucm_cmd_hdr and the
/// structure of the command, all of <rdma/rdma_user_cm.h>. Answers are written where the command
/// says, which must be memory of this process, as with the kernel. Returns errno: EINVAL for what
/// is too short or unknown, ENOSPC if there is no room for the answer, EAGAIN for a GET_EVENT
/// without an event.
int execute(Manager& manager, Channel& channel, std::span<const std::byte> written, Lookup look_up);

/// Whether it is a GET_EVENT, which may have to wait.
bool asks_for_event(std::span<const std::byte> written);

}  // namespace railgauge::softroce::cm
