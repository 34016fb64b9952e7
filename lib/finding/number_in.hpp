#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace railgauge::finding {

/// The number that all of a text is; empty if it is none, or does not fit.
template <class T>
[[nodiscard]] std::optional<T> number_in(std::string_view text) {
  T number{};
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || last != end) return std::nullopt;
  return number;
}

}  // namespace railgauge::finding
