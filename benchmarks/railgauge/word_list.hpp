#pragma once

#include <string>
#include <utility>
#include <vector>

#include "finding/words.hpp"

namespace railgauge::benchmarks {

/// The words of options that may be given several times, each with several words: "pcie,memlock" is
/// two. Empty words are left out.
[[nodiscard]] inline std::vector<std::string> words_of(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const std::string& list : lists) {
    for (std::string& word : finding::split(list)) {
      if (!word.empty()) words.push_back(std::move(word));
    }
  }
  return words;
}

}  // namespace railgauge::benchmarks
