#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::measure {

/// Reads a number of bytes as nccl-tests' -b and -e are written: digits, perhaps a fraction, and
/// one of K, M, G (either case) for 2^10, 2^20, 2^30: "8", "4M", "1.5k". Stricter than nccl-tests:
/// whatever is not wholly a whole number of bytes below 2^64 (a sign, another unit, a blank, a
/// fraction of a byte) throws std::invalid_argument with a sentence that quotes the text.
std::uint64_t parse_size(std::string_view text);

/// The shortest text that parse_size() reads as exactly `bytes`, without a fraction: "4M", "1536".
std::string format_size(std::uint64_t bytes);

/// The sizes begin, begin*factor, begin*factor^2 … up to and perhaps including `end`, in bytes.
/// Throws std::invalid_argument if factor < 2, if begin is 0 (it would never grow), or if
/// begin > end.
std::vector<std::uint64_t> sweep(std::uint64_t begin, std::uint64_t end, std::uint64_t factor);

/// The sizes begin, begin+step, begin+2*step … up to and perhaps including `end`, in bytes. Throws
/// std::invalid_argument if step is 0, if begin > end, or if there are more than a million.
std::vector<std::uint64_t> steps(std::uint64_t begin, std::uint64_t end, std::uint64_t step);

}  // namespace railgauge::measure
