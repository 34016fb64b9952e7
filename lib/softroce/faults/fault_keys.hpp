#pragma once

#include <string>
#include <string_view>

#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

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
