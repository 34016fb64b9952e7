#include "softroce/faults/fault_keys.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "softroce/faults/units.hpp"

namespace railgauge::softroce {
namespace {

constexpr std::string_view kRate = "bits a second, such as 1Gbit, 40Gbps or 100Mbit";
constexpr std::string_view kBytes = "bytes, such as 1500, 100KiB or 1MiB";
constexpr std::string_view kDuration = "a time of an hour at most, such as 50us, 2ms or 1s";
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

/// Less than a millisecond a phase would be no flapping but a load: each change is an event.
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
    FaultKey{"falsify", kProbability, "0.1%",
             [](Faults& f, Word v) { return assign(f.falsification, parse_probability(v)); }},
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
    FaultKey{"flap", "a time up, '/', a time down, each of 1ms at least", "2s/500ms", set_flap},
};

}  // namespace

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
