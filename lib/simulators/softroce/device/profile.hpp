#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railgauge::softroce {

/// What a device admits for one queue or request. Generous by default, but bounded, so that a
/// mistaken request is an error and does not exhaust memory.
struct Limits {
  int requests = 32768;
  int completions = 1 << 22;
  int elements = 30;
  int reads = 128;
  std::uint32_t inline_bytes = 1024;
};

/// As of NICs that have little: what fits here fits the others.
inline constexpr Limits kStrictLimits{
    .requests = 4096, .completions = 65435, .elements = 4, .reads = 16, .inline_bytes = 32};

/// A counter of ours under the name that a driver has for it.
struct CounterName {
  std::string_view ours;
  std::string_view theirs;
  bool wraps_at_32_bits = false;
};

/// How devices of one driver differ from softroce's own, as far as programs see it.
struct Profile {
  std::string_view name{};
  Limits limits{};
  bool has_rc = true;  ///< and UC
  /// A line rate above the highest that the driver knows is told as another one; 0: all are known.
  double highest_rate = 0;
  double rate_otherwise = 0;
  std::span<const CounterName> counters{};  ///< none: ours
};

using NamedCounters = std::vector<std::pair<std::string, std::uint64_t>>;

/// Null if there is none of this name.
const Profile* profile_called(std::string_view name);
/// "mlx5, irdma, ..."
std::string profile_names();

/// Both at once: the smaller of each.
Limits smaller(const Limits& one, const Limits& other);
double told_rate(const Profile& profile, double bits_per_second);
NamedCounters as_driver_names(const Profile& profile, NamedCounters counters);

}  // namespace railgauge::softroce
