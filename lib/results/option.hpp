#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace railgauge::results {

/// An option as it was in force, and who set it.
struct Option {
  enum class Origin { default_value, command_line, config_file, environment };
  /// "default", "command line", "config file", "environment".
  static std::string_view word(Origin origin);

  std::variant<bool, std::int64_t, std::uint64_t, double, std::string> value;
  Origin origin = Origin::default_value;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("value", self.value);
    visit.word("origin", self.origin, &word);
  }
};

}  // namespace railgauge::results
