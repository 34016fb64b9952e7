#pragma once

#include <string_view>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

/// Whether a text has the head of one of perftest's tables.
bool is_perftest(std::string_view text);

/// perftest's tables (ib_write_bw, ib_send_lat …), one run each; the collective is the program's
/// name, with _bidirectional for -b. Bandwidth is the average; perftest's MB/s are 2^20 bytes. A
/// time is t_typical, the median, or t_avg where a table (-D) has no other.
LogContent read_perftest(std::string_view text);

}  // namespace railgauge::verdict
