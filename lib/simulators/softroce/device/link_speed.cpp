#include "softroce/device/link_speed.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace railgauge::softroce {
namespace {

constexpr std::uint8_t kOneLane = 1;  // active_width
constexpr std::uint8_t kFourLanes = 2;

struct Step {
  double bits_per_second;
  std::uint8_t width;
  std::uint8_t speed;  // active_speed
  const char* words;
};

constexpr std::array kSteps{
    Step{2.5e9, kOneLane, 1, "1X SDR"},     Step{10e9, kOneLane, 4, "1X QDR"},
    Step{20e9, kFourLanes, 2, "4X DDR"},    Step{25e9, kOneLane, 32, "1X EDR"},
    Step{40e9, kFourLanes, 4, "4X QDR"},    Step{50e9, kOneLane, 64, "1X HDR"},
    Step{100e9, kFourLanes, 32, "4X EDR"},  Step{200e9, kFourLanes, 64, "4X HDR"},
    Step{400e9, kFourLanes, 128, "4X NDR"},
};

}  // namespace

LinkSpeed link_speed(double bits_per_second) {
  const auto* step = std::ranges::find_if(
      kSteps, [&](const Step& one) { return one.bits_per_second >= bits_per_second; });
  if (step == kSteps.end()) step = &kSteps.back();
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%g Gb/sec (%s)", bits_per_second / 1e9, step->words);
  return {step->width, step->speed, text.data()};
}

}  // namespace railgauge::softroce
