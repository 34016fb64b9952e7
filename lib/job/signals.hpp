#pragma once

namespace railgauge::job {

/// From now on SIGINT, SIGTERM and SIGHUP do not end this process but are remembered, so that what
/// was measured can be written. A write to a closed pipe is an error and not a death. Once a
/// process.
void catch_signals();

/// The signal that came first; 0 as long as none did. Any thread.
[[nodiscard]] int caught_signal() noexcept;

}  // namespace railgauge::job
