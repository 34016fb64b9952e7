#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

// What perftest's tables and its JSON have in common.

constexpr double kMebibytesPerGigabyte = 1e9 / (1 << 20);
constexpr double kBitsPerByte = 8;

/// "RDMA_Write Bidirectional BW Test" is ib_write_bw_bidirectional, "Send_Lat" ib_send_lat; empty
/// if the title is of none of its programs.
std::string perftest_program(std::string_view title);

/// Whether a bandwidth is size times the rate of messages, which is in millions a second.
bool is_rate(const Decimal& bandwidth, const Decimal& messages, std::uint64_t size_bytes,
             double per_gigabyte);

}  // namespace railgauge::verdict
