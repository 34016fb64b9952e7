#include "verdict/setting.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "measure/sizes.hpp"
#include "results/fields.hpp"

namespace railgauge::verdict {
namespace {

std::string name_of(const std::vector<int>& rails) {
  std::string numbers;
  for (const int rail : rails) numbers += (numbers.empty() ? "" : "+") + std::to_string(rail);
  return (rails.size() == 1 ? "rail " : "rails ") + numbers;
}

/// A setting's parts in words, all of them, in a fixed order.
std::vector<std::string> parts_of(const Setting& setting) {
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : "unknown"; };
  const std::string plural = setting.queue_pairs == 1 ? "" : "s";
  const std::string chunk = setting.chunk_bytes ? measure::format_size(*setting.chunk_bytes) : "?";
  return {setting.own_rails ? "own rails" : name_of(setting.rails),
          number(setting.queue_pairs) + " queue pair" + plural, "chunks of " + chunk,
          "traffic class " + number(setting.traffic_class), "root " + number(setting.root)};
}

}  // namespace

Setting setting_of(const Json& row) {
  return {wanted<std::vector<int>>(row, "rails"),
          maybe<int>(row, "queue_pairs"),
          maybe<std::uint64_t>(row, "chunk_bytes"),
          maybe<int>(row, "traffic_class"),
          maybe<int>(row, "root"),
          maybe<bool>(row, "own_rails").value_or(false)};
}

std::string in_words(const Setting& setting, const std::vector<Setting>& all) {
  std::string words;
  const std::vector<std::string> parts = parts_of(setting);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const bool varies = std::ranges::any_of(
        all, [&](const Setting& other) { return parts_of(other)[part] != parts[part]; });
    if (varies) words += (words.empty() ? "" : ", ") + parts[part];
  }
  return words;
}

}  // namespace railgauge::verdict
