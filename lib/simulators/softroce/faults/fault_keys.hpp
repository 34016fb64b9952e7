#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

// Each parses the whole of `text`, and returns nothing if it is anything else. Numbers are decimal,
// optionally with a fraction ("1.5ms"), without sign or exponent.

/// "1Gbit", "40Gbps", "100Mbit", "9600bps": decimal bits per second, case-insensitive, as networks
/// are sold. (tc reads bps as bytes; nobody who writes 40Gbps means that.) From 1 kbit to
/// 1000 Tbit: "rate=0" would be a pause, for which there is a setting.
std::optional<std::uint64_t> parse_rate(std::string_view text);

/// "1500", "1500B", "100KiB", "1MiB", "1GiB". Not "100KB", which is ambiguous.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// "500ns", "50us", "2ms", "1s"; at most an hour.
std::optional<nanoseconds> parse_duration(std::string_view text);

/// "1%" or "0.01".
std::optional<double> parse_probability(std::string_view text);

/// A whole number, for the seed.
std::optional<std::uint64_t> parse_whole(std::string_view text);

/// One setting of a rule: what its value must be, an example, and where it goes.
struct FaultKey {
  std::string_view name;
  std::string_view takes;
  std::string_view example;
  bool (*set)(Faults& faults, std::string_view value);  ///< false: not a valid value
};

/// Null for an unknown name. seed is not among them: it belongs to the plan, not to a rule's
/// faults.
const FaultKey* find_fault_key(std::string_view name);

/// All settings including seed, each with an example: "rate=1Gbit queue=1MiB ...".
std::string fault_key_examples();

}  // namespace railgauge::softroce
