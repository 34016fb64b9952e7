#pragma once

#include <chrono>
#include <cstddef>

namespace railgauge::measure {

/// What memory carries while `threads` of this process copy at the same time, in GB/s, read and
/// written bytes both counted, as STREAM's Copy counts them (McCalpin, 1995). Each copies a block
/// of `bytes` over and over for `time`; the block has to be larger than what caches keep. Threads
/// inherit the cpus of the caller. Memory: twice `bytes` a thread. Throws std::bad_alloc and
/// std::system_error.
[[nodiscard]] double copy_gigabytes_per_second(unsigned threads, std::size_t bytes,
                                               std::chrono::milliseconds time);

}  // namespace railgauge::measure
