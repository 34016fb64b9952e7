#include "results/utc.hpp"

#include <array>
#include <ctime>

namespace railgauge::results {
namespace {

constexpr const char* kFormat = "%Y-%m-%dT%H:%M:%SZ";

}  // namespace

std::string utc(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm fields{};
  gmtime_r(&seconds, &fields);
  std::array<char, sizeof "2026-01-31T12:00:00Z"> text{};
  std::strftime(text.data(), text.size(), kFormat, &fields);
  return text.data();
}

std::optional<std::chrono::system_clock::time_point> time_of(const std::string& text) {
  std::tm fields{};
  const char* const end = ::strptime(text.c_str(), kFormat, &fields);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return std::chrono::system_clock::from_time_t(::timegm(&fields));
}

}  // namespace railgauge::results
