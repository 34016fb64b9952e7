#pragma once

#include <optional>
#include <string>

#include "runner/session.hpp"
#include "runner/setting.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::runner {

/// The rails that a rank drives. Throws job::RunFailure (usage) unless all ranks drive as many.
[[nodiscard]] RailSet rails_of(const Session& session, transport::Rank rank, const RailUse& use);

/// In words, the first message by which the schedule would make this rank send from a port on one
/// rail to a port on another; empty if it never does. Where every rank drives all rails, none does.
/// On a rail-optimised fabric such a message takes the way over the spine; between fabrics that are
/// apart there is none.
[[nodiscard]] std::optional<std::string> find_cross_rail_send(const Session& session,
                                                              const RailUse& use,
                                                              const schedule::Schedule& schedule);

}  // namespace railgauge::runner
