#include "report/lists.hpp"

#include <algorithm>

namespace railgauge::report {

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  std::string text;
  for (std::size_t at = 0; at < shown; ++at) text += (at == 0 ? "" : ", ") + names[at];
  if (shown == names.size()) return text;
  return text + " and " + std::to_string(names.size() - shown) + " more";
}

std::string listed(std::vector<int> numbers) {
  std::ranges::sort(numbers);
  std::string text;
  for (std::size_t at = 0; at < numbers.size();) {
    std::size_t last = at;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (last < at + 2) last = at;  // two are no range
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[at]);
    if (last > at) text += "-" + std::to_string(numbers[last]);
    at = last + 1;
  }
  return text;
}

std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  if (count <= most || most < 2) {
    for (std::size_t place = 0; place < std::min(count, most); ++place) places.push_back(place);
    return places;
  }
  for (std::size_t nth = 0; nth < most; ++nth) {
    places.push_back(nth * (count - 1) / (most - 1));
  }
  return places;
}

}  // namespace railgauge::report
