#pragma once

#include <cstdint>

namespace railgauge::softroce {

// What ibv_query_device() promises. Generous, and bounded so that a mistaken request is an error
// and not a machine without memory.
inline constexpr int kMaxQueuePairs = 32768;
inline constexpr int kMaxRequests = 32768;
inline constexpr int kMaxCompletions = 1 << 22;
inline constexpr int kMaxObjects = 1 << 20;
inline constexpr int kMaxReads = 128;
inline constexpr std::uint32_t kMaxInlineBytes = 1024;
inline constexpr const char* kFirmware = "softroce " RAILGAUGE_SOFTROCE_VERSION;
/// With the shortcut on, so that results can be told apart.
inline constexpr const char* kFirmwareShortcut = "softroce " RAILGAUGE_SOFTROCE_VERSION " shortcut";

}  // namespace railgauge::softroce
