#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

// Each reads the whole of `text`, and gives nothing if it is anything else. Numbers are decimal,
// with a fraction if need be ("1.5ms"), without sign or exponent.

/// "1Gbit", "40Gbps", "100Mbit", "9600bps": decimal bits a second, in any case of letters, as
/// networks are sold. (tc reads bps as bytes; nobody who writes 40Gbps means that.) From 1 kbit to
/// 1000 Tbit: "rate=0" would be a pause, and there is a word for that.
std::optional<std::uint64_t> parse_rate(std::string_view text);

/// "1500", "1500B", "100KiB", "1MiB", "1GiB". Not "100KB", which is read in two ways.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// "500ns", "50us", "2ms", "1s"; an hour at most.
std::optional<nanoseconds> parse_duration(std::string_view text);

/// "1%" or "0.01".
std::optional<double> parse_probability(std::string_view text);

/// A whole number, for the seed.
std::optional<std::uint64_t> parse_whole(std::string_view text);

/// One key of a rule: what its value has to be, an example of it, and where it goes.
struct FaultKey {
  std::string_view name;
  std::string_view takes;
  std::string_view example;
  bool (*set)(Faults& faults, std::string_view value);  ///< false: this is no such value
};

/// Null for a word that is no key. seed is none: it belongs to the plan, not to a rule's faults.
const FaultKey* find_fault_key(std::string_view name);

/// All keys with an example each, seed too: "rate=1Gbit queue=1MiB ...".
std::string fault_key_examples();

}  // namespace railgauge::softroce
