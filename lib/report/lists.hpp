#pragma once

#include <string>
#include <vector>

namespace railgauge::report {

// Lists in words, short however many are in them.

/// "a, b, c and 125 more": all names if there are no more than `most` and one.
std::string listed(const std::vector<std::string>& names, std::size_t most = 3);

/// "0-7, 12": numbers in order, three or more that follow each other as a range.
std::string listed(std::vector<int> numbers);

/// At most so many of `count` places, evenly apart, with the first and the last.
std::vector<std::size_t> spread(std::size_t count, std::size_t most);

}  // namespace railgauge::report
