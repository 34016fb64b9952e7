#pragma once

#include <compare>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace railgauge::verdict {

/// What rows of one result may differ in beside size, type, op, algorithm and placement: figures of
/// different settings are different runs. Older results lack some of it.
struct Setting {
  std::vector<int> rails{};  // by their numbers
  std::optional<int> queue_pairs{};
  std::optional<std::uint64_t> chunk_bytes{};
  std::optional<int> traffic_class{};
  std::optional<int> root{};  // -1: the collective has none
  bool own_rails = false;     // each rank drove only those that it is placed beside

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
  friend auto operator<=>(const Setting&, const Setting&) = default;
};

/// Throws std::runtime_error, which names the field, if one is of the wrong type or `rails`
/// missing.
Setting setting_of(const nlohmann::ordered_json& row);

/// "rail 0, 2 queue pairs": of a setting that in which `all` differ; empty if they are the same.
std::string in_words(const Setting& setting, const std::vector<Setting>& all);

}  // namespace railgauge::verdict
