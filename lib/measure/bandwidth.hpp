#pragma once

#include <cstdint>

namespace railgauge::measure {

/// Algorithm bandwidth as nccl-tests defines it (doc/PERFORMANCE.md): the size of the collective
/// over its time, in units of 1e9 bytes per second. Throws std::invalid_argument unless the time is
/// above zero.
double algbw_gigabytes_per_second(std::uint64_t bytes, double microseconds);

/// Bus bandwidth: algorithm bandwidth times the collective's factor (2(n-1)/n for all-reduce),
/// which makes it comparable with the speed of a link. The factor is the schedule's to say.
double busbw_gigabytes_per_second(double algbw_gigabytes_per_second, double bus_factor);

}  // namespace railgauge::measure
