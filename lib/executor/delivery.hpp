#pragma once

#include <cstddef>
#include <optional>

#include "executor/plan.hpp"

namespace railgauge::executor {

/// The channel by which the last data came that this rank has taken into an element of its output,
/// as they are or combined; empty if none did: then they are its own, or it has copied them from
/// scratch. For whoever finds that element wrong.
[[nodiscard]] std::optional<transport::Channel> delivered_by(const Plan& plan, std::size_t element);

}  // namespace railgauge::executor
