#include "softroce/faults/fault_keys.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>

namespace railgauge::softroce {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array kRates{
    Unit{"bit", 1}, Unit{"kbit", 1e3}, Unit{"mbit", 1e6}, Unit{"gbit", 1e9}, Unit{"tbit", 1e12},
    Unit{"bps", 1}, Unit{"kbps", 1e3}, Unit{"mbps", 1e6}, Unit{"gbps", 1e9}, Unit{"tbps", 1e12},
};
constexpr std::array kSizes{Unit{"", 1}, Unit{"B", 1}, Unit{"KiB", 1024},
                            Unit{"MiB", 1024.0 * 1024}, Unit{"GiB", 1024.0 * 1024 * 1024}};
constexpr std::array kDurations{Unit{"ns", 1}, Unit{"us", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}};
constexpr std::array kParts{Unit{"", 1}, Unit{"%", 0.01}};

constexpr double kLeastRate = 1e3;
constexpr double kMostRate = 1e15;
constexpr double kLargestBytes = 1e15;
constexpr double kHour = 3600e9;

struct Range {
  double least;
  double most;
};

/// A number and one of `units`, converted to the smallest unit and within `range`.
std::optional<double> quantity(std::string_view text, std::span<const Unit> units, Range range) {
  // from_chars also takes "inf", "nan" and a minus.
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (read.ec != std::errc{}) return std::nullopt;
  const std::string_view name(read.ptr, static_cast<std::size_t>(end - read.ptr));
  const auto unit = std::ranges::find(units, name, &Unit::name);
  if (unit == units.end()) return std::nullopt;
  const double value = number * unit->factor;
  if (value < range.least || value > range.most) return std::nullopt;
  return value;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

std::optional<std::uint64_t> rounded(std::optional<double> value) {
  if (!value) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(*value));
}

constexpr std::string_view kRate = "bits per second, such as 1Gbit, 40Gbps or 100Mbit";
constexpr std::string_view kBytes = "bytes, such as 1500, 100KiB or 1MiB";
constexpr std::string_view kDuration = "a time of at most an hour, such as 50us, 2ms or 1s";
constexpr std::string_view kProbability = "a probability from 0 to 1 or from 0% to 100%";

template <class Value>
bool assign(Value& field, std::optional<Value> value) {
  if (value) field = *value;
  return value.has_value();
}

bool choose(bool& field, std::string_view value, std::string_view yes, std::string_view no) {
  field = value == yes;
  return value == yes || value == no;
}

/// Phases below a millisecond would be a load rather than a flap, because each change is an event.
bool set_flap(Faults& faults, std::string_view value) {
  using std::chrono::milliseconds;
  const std::size_t slash = value.find('/');
  if (slash == std::string_view::npos) return false;
  return assign(faults.flap_up, parse_duration(value.substr(0, slash))) &&
         assign(faults.flap_down, parse_duration(value.substr(slash + 1))) &&
         faults.flap_up >= milliseconds(1) && faults.flap_down >= milliseconds(1);
}

using Word = std::string_view;

constexpr std::array kKeys{
    FaultKey{"rate", kRate, "1Gbit",
             [](Faults& f, Word v) { return assign(f.bits_per_second, parse_rate(v)); }},
    FaultKey{"queue", kBytes, "1MiB",
             [](Faults& f, Word v) { return assign(f.queue_bytes, parse_bytes(v)); }},
    FaultKey{"delay", kDuration, "50us",
             [](Faults& f, Word v) { return assign(f.delay, parse_duration(v)); }},
    FaultKey{"jitter", kDuration, "10us",
             [](Faults& f, Word v) { return assign(f.jitter, parse_duration(v)); }},
    FaultKey{"loss", kProbability, "1%",
             [](Faults& f, Word v) { return assign(f.loss, parse_probability(v)); }},
    FaultKey{"duplicate", kProbability, "0.1%",
             [](Faults& f, Word v) { return assign(f.duplication, parse_probability(v)); }},
    FaultKey{"reorder", kProbability, "1%",
             [](Faults& f, Word v) { return assign(f.reordering, parse_probability(v)); }},
    FaultKey{"corrupt", kProbability, "0.1%",
             [](Faults& f, Word v) { return assign(f.corruption, parse_probability(v)); }},
    FaultKey{"corrupt_payload", kProbability, "0.1%",
             [](Faults& f, Word v) { return assign(f.payload_corruption, parse_probability(v)); }},
    FaultKey{"mark", kBytes, "100KiB",
             [](Faults& f, Word v) { return assign(f.mark_above_bytes, parse_bytes(v)); }},
    FaultKey{"ecn", kProbability, "5%",
             [](Faults& f, Word v) { return assign(f.marking, parse_probability(v)); }},
    FaultKey{"mtu", kBytes, "1500",
             [](Faults& f, Word v) { return assign(f.largest_bytes, parse_bytes(v)); }},
    FaultKey{"pause", "on or off", "on",
             [](Faults& f, Word v) { return choose(f.paused, v, "on", "off"); }},
    FaultKey{"link", "up or down", "down",
             [](Faults& f, Word v) { return choose(f.link_down, v, "down", "up"); }},
    FaultKey{"flap", "the time up, '/', the time down, each at least 1ms", "2s/500ms", set_flap},
    FaultKey{"counters", "reset or kept", "reset",
             [](Faults& f, Word v) { return choose(f.counters_reset, v, "reset", "kept"); }},
    FaultKey{"cnp", "ignored or obeyed", "ignored",
             [](Faults& f, Word v) { return choose(f.cnps_ignored, v, "ignored", "obeyed"); }},
};

}  // namespace

std::optional<std::uint64_t> parse_rate(std::string_view text) {
  return rounded(quantity(lower_case(text), kRates, {kLeastRate, kMostRate}));
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  return rounded(quantity(text, kSizes, {0, kLargestBytes}));
}

std::optional<nanoseconds> parse_duration(std::string_view text) {
  const auto value = rounded(quantity(text, kDurations, {0, kHour}));
  if (!value) return std::nullopt;
  return nanoseconds(*value);
}

std::optional<double> parse_probability(std::string_view text) {
  return quantity(text, kParts, {0, 1});
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return number;
}

const FaultKey* find_fault_key(std::string_view name) {
  const auto found = std::ranges::find(kKeys, name, &FaultKey::name);
  return found == kKeys.end() ? nullptr : &*found;
}

std::string fault_key_examples() {
  std::string text;
  for (const FaultKey& key : kKeys) {
    text.append(key.name).append("=").append(key.example).append(" ");
  }
  return text + "seed=7";
}

}  // namespace railgauge::softroce
