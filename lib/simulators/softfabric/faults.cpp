#include "softfabric/faults.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>

#include "fabric/addresses.hpp"
#include "softfabric/quantity.hpp"

namespace railgauge::softfabric {
namespace {

using Word = std::string_view;

template <class Value, class Field>
bool assign(Field& field, const std::optional<Value>& value) {
  if (value) field = static_cast<Field>(*value);
  return value.has_value();
}

bool choose(bool& field, Word value, Word yes, Word no) {
  field = value == yes;
  return value == yes || value == no;
}

/// Two words with a separator between them; the second is empty where there is none.
std::pair<Word, Word> split_at(Word text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == Word::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

template <std::uint64_t most>
std::optional<std::uint64_t> up_to(Word text) {
  const auto number = parse_whole(text);
  return number.value_or(most + 1) > most ? std::nullopt : number;
}

bool set_end(Word text, std::uint32_t& address, std::uint16_t& port) {
  const auto [host, number] = split_at(text, ':');
  return assign(address, fabric::described::ipv4_of(host)) && assign(port, up_to<0xffff>(number));
}

bool set_flow(Faults& faults, Word text) {
  const auto [source, destination] = split_at(text, '-');
  Flow flow;
  faults.flow = Flow{};
  if (!set_end(source, flow.source, flow.source_port)) return false;
  if (!set_end(destination, flow.destination, flow.destination_port)) return false;
  faults.flow = flow;
  return true;
}

/// Shorter phases would be a load rather than a flap.
bool set_flap(Faults& faults, Word text) {
  constexpr Time kShortest = std::chrono::milliseconds(1);
  const auto [up, down] = split_at(text, '/');
  return assign(faults.flap_up, parse_duration(up)) &&
         assign(faults.flap_down, parse_duration(down)) && faults.flap_up >= kShortest &&
         faults.flap_down >= kShortest;
}

bool set_map(Faults& faults, Word text) {
  const auto [dscp, priority] = split_at(text, ':');
  faults.mapped_dscp = 0;
  return assign(*faults.mapped_dscp, up_to<63>(dscp)) &&
         assign(faults.mapped_priority, up_to<7>(priority));
}

bool set_priority(Faults& faults, Word text) {
  faults.priority = 0;
  return assign(*faults.priority, up_to<7>(text));
}

bool set_dscp(Faults& faults, Word text) {
  faults.rewritten_dscp = 0;
  return assign(*faults.rewritten_dscp, up_to<63>(text));
}

bool set_black_hole(Faults& faults, Word text) {
  bool on = false;
  const bool known = choose(on, text, "on", "off");
  faults.loss = on ? 1 : 0;
  return known;
}

struct Key {
  Word name;
  Word takes;
  bool (*set)(Faults& faults, Word value);
};

constexpr Word kPart = "a probability, such as 1% or 0.01";
constexpr Word kDuration = "a time, such as 50us, 2ms or 1s";

constexpr std::array kKeys{
    Key{"loss", kPart, [](Faults& f, Word v) { return assign(f.loss, parse_part(v)); }},
    Key{"blackhole", "on or off", set_black_hole},
    Key{"duplicate", kPart, [](Faults& f, Word v) { return assign(f.duplication, parse_part(v)); }},
    Key{"corrupt", kPart, [](Faults& f, Word v) { return assign(f.corruption, parse_part(v)); }},
    Key{"corrupt_payload", kPart,
        [](Faults& f, Word v) { return assign(f.payload_corruption, parse_part(v)); }},
    Key{"dscp", "a DSCP from 0 to 63", set_dscp},
    Key{"priority", "a priority from 0 to 7", set_priority},
    Key{"flow", "ADDRESS:PORT-ADDRESS:PORT", set_flow},
    Key{"rate", "bits per second, such as 100Mbit or 1Gbit",
        [](Faults& f, Word v) { return assign(f.bits_per_second, parse_rate(v)); }},
    Key{"delay", kDuration, [](Faults& f, Word v) { return assign(f.delay, parse_duration(v)); }},
    Key{"jitter", kDuration, [](Faults& f, Word v) { return assign(f.jitter, parse_duration(v)); }},
    Key{"mtu", "bytes of an IP packet, such as 1500",
        [](Faults& f, Word v) { return assign(f.largest_bytes, up_to<65535>(v)); }},
    Key{"link", "up or down", [](Faults& f, Word v) { return choose(f.down, v, "down", "up"); }},
    Key{"flap", "the time up, '/', the time down, each at least 1ms", set_flap},
    Key{"ecn", "on or off", [](Faults& f, Word v) { return choose(f.ecn, v, "on", "off"); }},
    Key{"kmin", "bytes of a queue, such as 1000",
        [](Faults& f, Word v) { return assign(f.ecn_kmin_bytes, parse_whole(v)); }},
    Key{"ahead", "on or off", [](Faults& f, Word v) { return choose(f.ahead, v, "on", "off"); }},
    Key{"pfc", "on or off", [](Faults& f, Word v) { return choose(f.pfc, v, "on", "off"); }},
    Key{"priority_map", "DSCP:PRIORITY, such as 26:0", set_map},
};

std::string known_words() {
  std::string all;
  for (const Key& key : kKeys) all += (all.empty() ? "" : ", ") + std::string(key.name);
  return all;
}

void set(Faults& faults, Word word) {
  const auto [name, value] = split_at(word, '=');
  const auto key = std::ranges::find(kKeys, name, &Key::name);
  if (key == kKeys.end()) {
    throw std::runtime_error("unknown fault '" + std::string(word) + "': use " + known_words());
  }
  if (key->set(faults, value)) return;
  throw std::runtime_error("fault '" + std::string(word) + "': " + std::string(name) + " takes " +
                           std::string(key->takes));
}

}  // namespace

Faults with_words(Faults faults, std::string_view words) {
  while (!words.empty()) {
    const auto [word, rest] = split_at(words, ' ');
    if (word == "clear") {
      faults = {};
    } else if (!word.empty()) {
      set(faults, word);
    }
    words = rest;
  }
  return faults;
}

bool concern(const Faults& faults, const Packet& packet) {
  if (faults.priority && *faults.priority != packet.priority) return false;
  if (!faults.flow) return true;
  const Headers& headers = packet.headers;
  return *faults.flow ==
         Flow{headers.source, headers.destination, headers.source_port, headers.destination_port};
}

bool flap_is_up(const Faults& faults, Time since) {
  return !flaps(faults) || since % (faults.flap_up + faults.flap_down) < faults.flap_up;
}

Time next_flap(const Faults& faults, Time since) {
  const Time whole = faults.flap_up + faults.flap_down;
  const Time within = since % whole;
  return since - within + (within < faults.flap_up ? faults.flap_up : whole);
}

}  // namespace railgauge::softfabric
