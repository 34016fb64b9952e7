#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::finding {

// Numbers and lists in sentences, alike in every message.

/// As printf prints it, of at most 511 characters.
__attribute__((format(printf, 1, 2))) std::string printed(const char* format, ...);

/// With that many significant digits: "12.3", "0.000412", "1.2e+09"; thousands in full: "4096".
[[nodiscard]] std::string number(double value, int digits = 3);

/// "12.3 GB/s"; of no unit the number alone.
[[nodiscard]] std::string number(double value, std::string_view unit);

/// A share of 1 as "12.3 %"; a small one with as many digits as it takes: "0.012 %".
[[nodiscard]] std::string percent(double share);

/// "1 row", "3 rows"; a plural other than by an s is given: "1 switch", "2 switches".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one,
                                  std::string_view many = "");

/// "a, b, c"
[[nodiscard]] std::string joined(const std::vector<std::string>& parts,
                                 std::string_view separator = ", ");

/// "a", "b" and "" of "a,b,,"; none of an empty text.
[[nodiscard]] std::vector<std::string> split(const std::string& text, char separator = ',');

/// "a, b and c"
[[nodiscard]] std::string listed(const std::vector<std::string>& parts,
                                 std::string_view last = " and ");

/// "a, b and 4 more": of more than `most` parts the first, and how many follow.
[[nodiscard]] std::string first_of(std::vector<std::string> parts, std::size_t most);

}  // namespace railgauge::finding
