#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>

namespace railgauge::runner {

/// What this process holds and uses.
struct ProcessUsage {
  std::uint64_t resident_bytes = 0;      // PROC/self/statm (proc(5)); 0: it does not say
  std::uint64_t descriptors = 0;         // PROC/self/fd
  std::chrono::nanoseconds processor{};  // time of all of its threads since it started
};

[[nodiscard]] ProcessUsage usage_of_this_process(const std::filesystem::path& proc = "/proc");

}  // namespace railgauge::runner
