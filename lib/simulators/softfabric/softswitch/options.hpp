#pragma once

#include <chrono>
#include <string>

namespace railgauge::softfabric {

struct Options {
  std::string fabric{};   ///< file of the description
  std::string control{};  ///< path of the control socket
  std::string metrics{};  ///< file of JSON Lines; none if empty
  std::chrono::nanoseconds interval = std::chrono::seconds(1);  ///< between these lines
  std::chrono::nanoseconds late = std::chrono::milliseconds(2);
  std::chrono::nanoseconds tick = std::chrono::microseconds(20);
  std::string question{};  ///< a line for the softswitch at `control`; then nothing else is done
  bool help = false;
  bool version = false;
};

/// Throws std::invalid_argument with a sentence.
Options parse_options(int count, char** arguments);

std::string help_text();

}  // namespace railgauge::softfabric
