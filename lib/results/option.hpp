#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "json/members.hpp"

namespace railgauge::results {

/// An option as it was in force, and who set it.
struct Option {
  enum class Origin { default_value, command_line, config_file, environment };

  std::variant<bool, std::int64_t, std::uint64_t, double, std::string> value;
  Origin origin = Origin::default_value;

  RAILGAUGE_FIELDS(value, origin)
};

/// "default", "command line", "config file", "environment".
[[nodiscard]] std::string_view word(Option::Origin origin);

}  // namespace railgauge::results
