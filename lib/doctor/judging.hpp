#pragma once

#include <string>
#include <vector>

#include "doctor/check.hpp"
#include "doctor/history.hpp"

namespace railgauge::doctor {

// How rows of the table judge.

inline constexpr double kDay = 86400;  // seconds

[[nodiscard]] Answer passed(std::string observed);
[[nodiscard]] Answer warned(std::string observed, std::string expected, std::string remark = "");
[[nodiscard]] Answer failed(std::string observed, std::string expected, std::string remark = "");
/// A text that this railgauge does not understand.
[[nodiscard]] Answer not_understood(const std::string& text);
[[nodiscard]] Answer not_applicable(std::string why);

/// A warning unless the first input is that text.
[[nodiscard]] Answer is_word(const Inputs& in, std::string_view text);

/// "26:3" of a list of pairs, by its first: 3. Empty: there is no such pair.
[[nodiscard]] std::optional<int> mapped(const std::string& pairs, int first);

/// The priorities in "3 4" or "none".
[[nodiscard]] std::vector<int> priorities_in(const std::string& list);

/// "4 GiB", "64 KiB"
[[nodiscard]] std::string bytes_text(double bytes);

/// The word after its number: "ACTIVE" of "4: ACTIVE".
[[nodiscard]] std::string after_colon(const std::string& text);

/// How many other ports of the host share the subnet of this one.
[[nodiscard]] std::size_t neighbours_in_subnet(const Subject& subject);

}  // namespace railgauge::doctor
