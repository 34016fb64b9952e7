#include "softroce/faults/faults.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "softroce/faults/fault_keys.hpp"

namespace railgauge::softroce {
namespace {

Faults last_rule(const FaultPlan& plan, std::string_view device, Direction direction) {
  Faults faults;
  for (const FaultRule& rule : plan.rules) {
    const bool same_device = rule.device == "*" || rule.device == device;
    const bool same_direction = direction == Direction::transmit ? rule.transmit : rule.receive;
    if (same_device && same_direction) faults = rule.faults;
  }
  return faults;
}

bool is_device(std::string_view name, int devices) {
  int number = 0;
  while (number < devices && name != device_name(number)) ++number;
  return number < devices;
}

constexpr std::string_view kSpaces = " \t\r\v\f";

/// Takes what precedes `separator`, or everything.
std::string_view take_until(std::string_view& text, char separator) {
  const std::string_view head = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), head.size() + 1));
  return head;
}

/// Takes the next word; empty at the end.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(kSpaces)));
  const std::string_view word = text.substr(0, text.find_first_of(kSpaces));
  text.remove_prefix(word.size());
  return word;
}

class Parser {
 public:
  FaultPlan parse(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      std::string_view line = take_until(text, '\n');
      std::string_view rules = take_until(line, '#');
      while (!rules.empty()) rule(take_until(rules, ';'));
    }
    return std::move(plan_);
  }

 private:
  [[noreturn]] void refuse(std::string_view word, const std::string& why) const {
    throw std::invalid_argument("faults, line " + std::to_string(line_) + ": '" +
                                std::string(word) + "' " + why + "; the settings are " +
                                fault_key_examples());
  }

  void rule(std::string_view words) {
    std::string_view word = take_word(words);
    if (word.empty()) return;
    // A seed belongs to no device, so it may also stand alone.
    if (word.starts_with("seed=") && take_word(words).empty()) return set_seed(word);
    FaultRule& rule = plan_.rules.emplace_back(target(word));
    std::set<std::string_view> seen;
    while (!(word = take_word(words)).empty()) setting(rule.faults, word, seen);
  }

  FaultRule target(std::string_view word) const {
    std::string_view direction = word;
    const std::string_view device = take_until(direction, '.');
    if (device != "*" && !is_device(device, kMostDevices)) {
      refuse(word, "is not a device; a rule begins with one of soft0 to " +
                       device_name(kMostDevices - 1) + ": soft1, soft1.tx, soft1.rx or * for all");
    }
    if (device.size() != word.size() && direction != "tx" && direction != "rx") {
      refuse(word, "has a direction other than .tx and .rx");
    }
    return {std::string(device), direction != "rx", direction != "tx", {}};
  }

  void setting(Faults& faults, std::string_view word, std::set<std::string_view>& seen) {
    std::string_view value = word;
    const std::string_view name = take_until(value, '=');
    const FaultKey* const key = find_fault_key(name);
    if (key == nullptr && name != "seed") refuse(word, "is not a known setting");
    if (value.empty()) refuse(word, "has no value");
    if (key == nullptr) return set_seed(word);
    if (!seen.insert(name).second) refuse(word, "is given twice in one rule");
    if (!key->set(faults, value)) refuse(word, "is invalid: it takes " + std::string(key->takes));
  }

  void set_seed(std::string_view word) {
    if (seeded_) refuse(word, "is given twice: all devices share one seed");
    const auto seed = parse_whole(word.substr(word.find('=') + 1));
    if (!seed) refuse(word, "is invalid: it takes a whole number below 2^64");
    plan_.seed = *seed;
    seeded_ = true;
  }

  FaultPlan plan_;
  bool seeded_ = false;
  int line_ = 0;
};

}  // namespace

std::string device_name(int number) {
  return "soft" + std::to_string(number);
}

std::string_view absent_device(const FaultPlan& plan, int devices) {
  for (const FaultRule& rule : plan.rules) {
    if (rule.device != "*" && !is_device(rule.device, devices)) return rule.device;
  }
  return {};
}

Faults faults_of(const FaultPlan& plan, std::string_view device, Direction direction) {
  const bool transmits = direction == Direction::transmit;
  const Faults opposite =
      last_rule(plan, device, transmits ? Direction::receive : Direction::transmit);
  Faults faults = last_rule(plan, device, direction);
  faults.link_down = faults.link_down || opposite.link_down;
  faults.counters_reset = faults.counters_reset || opposite.counters_reset;
  faults.cnps_ignored = faults.cnps_ignored || opposite.cnps_ignored;
  // A port has one flap rhythm: if both directions set one, that of tx.
  const bool has_flap = faults.flap_up.count() > 0;
  const bool opposite_rules = opposite.flap_up.count() > 0 && (!has_flap || !transmits);
  if (opposite_rules) {
    faults.flap_up = opposite.flap_up;
    faults.flap_down = opposite.flap_down;
  }
  return faults;
}

FaultPlan parse_faults(std::string_view text) {
  return Parser().parse(text);
}

}  // namespace railgauge::softroce
