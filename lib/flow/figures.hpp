#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "measure/histogram.hpp"

namespace railgauge::flow {

/// What came of one way of a test, as its sender saw it.
struct Figures {
  std::string reason{};        ///< why it did not come to its end, a sentence; empty: it did
  std::uint64_t messages = 0;  ///< acknowledged, and in time; of latencies without those to warm up
  std::uint64_t bytes = 0;     ///< of them
  double seconds = 0;          ///< from the first post to the last acknowledgement
  double ran_share = 1;        ///< of that, in which the thread of the sender ran
  /// Of bandwidth, from the post of a message to its acknowledgement, behind others on their way;
  /// else the latency.
  measure::Histogram times{};

  /// 1e9 bytes; 0 if nothing was acknowledged.
  [[nodiscard]] double gigabytes_per_second() const {
    constexpr double kBytesPerGigabyte = 1e9;
    return seconds > 0 ? static_cast<double>(bytes) / kBytesPerGigabyte / seconds : 0;
  }
};

}  // namespace railgauge::flow
