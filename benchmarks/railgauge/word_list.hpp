#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace railgauge::benchmarks {

/// The words of options that may be given several times, each with several words: "pcie,memlock" is
/// two. Empty words are left out.
[[nodiscard]] inline std::vector<std::string> words_of(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const std::string& list : lists) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      if (end > begin) words.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return words;
}

}  // namespace railgauge::benchmarks
