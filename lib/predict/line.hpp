#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace railgauge::predict {

/// By a format of printf.
template <class... Values>
std::string line(const char* format, Values... values) {
  std::array<char, 240> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

}  // namespace railgauge::predict
