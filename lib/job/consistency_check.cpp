#include "job/consistency_check.hpp"

#include <nlohmann/json.hpp>

namespace railgauge::job {
namespace {

using Values = std::map<std::string, std::string>;

Values values_of(const std::string& version,
                 const std::map<std::string, results::Option>& options) {
  Values values{{"the version", version}};
  for (const auto& [name, option] : options) {
    if (name == "devices" || name == "device") continue;
    const auto json =
        std::visit([](const auto& held) { return nlohmann::json(held); }, option.value);
    values["--" + name] = json.is_string() ? json.get<std::string>() : json.dump();
  }
  return values;
}

Values values_from(const transport::Bytes& bytes) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return nlohmann::json::from_cbor(begin, begin + bytes.size()).get<Values>();
}

std::string value_in(const Values& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? "not there" : "'" + found->second + "'";
}

}  // namespace

void check_consistency(Communicator& communicator, const std::string& version,
                       const std::map<std::string, results::Option>& options) {
  const auto packed = nlohmann::json::to_cbor(nlohmann::json(values_of(version, options)));
  const auto everybody = communicator.all_gather(std::as_bytes(std::span(packed)));
  for (std::size_t rank = 1; rank < everybody.size(); ++rank) {
    if (everybody[rank] == everybody[0]) continue;
    const Values first = values_from(everybody[0]);
    const Values other = values_from(everybody[rank]);
    for (const auto& [name, value] : first) {
      if (value_in(other, name) == value_in(first, name)) continue;
      throw RunFailure(results::Failure::Kind::usage,
                       "ranks do not agree: " + name + " is " + value_in(first, name) +
                           " on rank 0 and " + value_in(other, name) + " on rank " +
                           std::to_string(rank) +
                           "; start all ranks with the same binary, options and environment");
    }
  }
}

}  // namespace railgauge::job
