#pragma once

#include <infiniband/verbs.h>

#include <string>
#include <string_view>

namespace railgauge::verbs {

/// What a work-completion status means and where to look, in words for an operator:
/// "transport retries exhausted: the peer or a link on the way did not answer". Never empty.
std::string_view meaning(ibv_wc_status status);

/// The name of a status as the verbs headers spell it without the prefix: "RETRY_EXC_ERR".
std::string_view name(ibv_wc_status status);

/// A queue pair's state in words: "ready to send".
std::string_view words(ibv_qp_state state);

/// An asynchronous event in words: "port went down".
std::string_view words(ibv_event_type event);

}  // namespace railgauge::verbs
