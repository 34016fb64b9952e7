#include "report/label.hpp"

#include <algorithm>

namespace railgauge::report {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

std::string plain(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

}  // namespace railgauge::report
