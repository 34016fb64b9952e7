#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace railgauge::softfabric {

// Numbers with units, as people type them; nothing if it is none.

std::optional<std::uint64_t> parse_whole(std::string_view text);  ///< "26"
std::optional<double> parse_part(std::string_view text);          ///< "1%", "0.01"
std::optional<double> parse_rate(std::string_view text);          ///< "100Mbit", in bit/s
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);  ///< "50us"

}  // namespace railgauge::softfabric
