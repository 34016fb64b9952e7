#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workload/groups.hpp"
#include "workload/workload.hpp"

namespace railgauge::workload::traces {

using Files = std::vector<std::string>;

struct Trace {
  Workload workload{};
  Rank ranks = 0;  // for which check() takes it
};

/// A kind of trace that can be imported.
struct TraceFormat {
  std::string_view name;     // "kineto"
  std::string_view about;    // what its files are
  std::string_view example;  // of files, on a command line
  Trace (*read)(const Files& files);
};

[[nodiscard]] std::span<const TraceFormat> formats();

/// A workload as text, and what to tell of it.
struct Document {
  std::string text{};
  Rank ranks = 0;
  std::vector<std::string> assumptions{};
  std::map<std::string, std::uint64_t> bytes{};  // of groups and transfers, in a step
};

/// A trace as a workload that check() takes for its ranks. Throws std::invalid_argument with the
/// file and the event for what is wrong or not known, and std::runtime_error for a file that cannot
/// be read.
[[nodiscard]] Document document_of(const TraceFormat& format, const Files& files);

// Each opens with its format, and what is assumed. They throw as document_of() does.
[[nodiscard]] Trace kineto(const Files& files);    // kineto.cpp
[[nodiscard]] Trace chakra(const Files& files);    // chakra.cpp
[[nodiscard]] Trace aicb(const Files& files);      // aicb.cpp
[[nodiscard]] Trace simai(const Files& files);     // simai.cpp
[[nodiscard]] Trace nixl(const Files& files);      // nixl.cpp
[[nodiscard]] Trace mooncake(const Files& files);  // mooncake.cpp

}  // namespace railgauge::workload::traces
