#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::manual {

/// The word that was perhaps meant: the one that the fewest slips (a letter missing, added, wrong,
/// or swapped with the next) turn into `word`, if that is at most a slip for three letters, or the
/// only one that begins with it. Empty if nothing is that near.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& words);

/// "; did you mean --iters?", or nothing: for the end of a message.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& words);

}  // namespace railgauge::manual
