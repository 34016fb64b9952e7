#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::measure {

/// Algorithm bandwidth as nccl-tests defines it (doc/PERFORMANCE.md): the size of the collective
/// over its time, in units of 1e9 bytes per second. Throws std::invalid_argument unless the time is
/// above zero.
double algbw_gigabytes_per_second(std::uint64_t bytes, double microseconds);

/// Bus bandwidth: algorithm bandwidth times the collective's factor (2(n-1)/n for all-reduce),
/// which makes it comparable with the speed of a link. The factor comes from lib/schedule.
double busbw_gigabytes_per_second(double algbw_gigabytes_per_second, double bus_factor);

/// Reads a number of bytes, written as for nccl-tests' -b and -e: digits, perhaps a fraction, and
/// one of K, M, G, T (either case) for 2^10, 2^20, 2^30, 2^40, perhaps with B or iB: "8", "4M",
/// "1.5k", "1KiB", and "1KB", which is 1024 to nccl-tests, too. Stricter than nccl-tests: anything
/// but an integral number of bytes below 2^64 (a sign, another unit, a blank, a fraction of a byte)
/// throws std::invalid_argument with a sentence that quotes the text.
std::uint64_t parse_size(std::string_view text);

/// The shortest text that parse_size() reads as exactly `bytes`, without a fraction: "4M", "1536".
std::string format_size(std::uint64_t bytes);

/// Sizes in words, those that follow each other in `all` as one range: "8-4K, 64K". `all` is
/// sorted.
std::string folded_sizes(const std::set<std::uint64_t>& sizes,
                         const std::vector<std::uint64_t>& all);

/// The sizes begin, begin*factor, begin*factor^2 … up to and perhaps including `end`, in bytes.
/// Throws std::invalid_argument if factor < 2, if begin is 0 (it would never grow), or if
/// begin > end.
std::vector<std::uint64_t> sweep(std::uint64_t begin, std::uint64_t end, std::uint64_t factor);

/// The sizes begin, begin+step, begin+2*step … up to and perhaps including `end`, in bytes. Throws
/// std::invalid_argument if step is 0, if begin > end, or if there are more than a million.
std::vector<std::uint64_t> steps(std::uint64_t begin, std::uint64_t end, std::uint64_t step);

}  // namespace railgauge::measure
