#include "fabric/description.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "json/text.hpp"

namespace railgauge::fabric {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kUsualMegabits = 200;  // schema of railgauge/fabric/1

struct Described {
  std::string address{};
  int tier = 1;
};

/// By name. Those without an address have 10.255.TIER.n.
std::map<std::string, Described> switches_in(const Json& fabric) {
  std::map<std::string, Described> switches;
  std::map<int, int> number;
  for (const Json& one : fabric.value("switches", Json::array())) {
    const int tier = one.value("tier", 1);
    const std::string usual =
        "10.255." + std::to_string(tier) + "." + std::to_string(++number[tier]);
    switches[one.at("name").get<std::string>()] = {one.value("address", usual), tier};
  }
  return switches;
}

double gbps_of(const Json& link) {
  constexpr double kMegabitsPerGigabit = 1000;
  const double megabits = link.value("rate_mbit_per_s", kUsualMegabits);
  if (megabits >= 1) return megabits / kMegabitsPerGigabit;
  throw std::runtime_error("links: rate_mbit_per_s of " + link.at("a").get<std::string>() + " to " +
                           link.at("b").get<std::string>() + ": expected 1 or more");
}

Description read(const Json& fabric) {
  Description description;
  const auto switches = switches_in(fabric);
  for (const auto& [name, one] : switches) description.names.emplace(one.address, name);
  for (const Json& link : fabric.at("links")) {
    const auto a = switches.find(link.at("a").get<std::string>());
    const auto b = switches.find(link.at("b").get<std::string>());
    if (a == switches.end() || b == switches.end()) continue;
    const bool up = a->second.tier < b->second.tier;
    description.links.push_back({.lower = (up ? a : b)->second.address,
                                 .upper = (up ? b : a)->second.address,
                                 .gbps = gbps_of(link)});
  }
  return description;
}

}  // namespace

Description description_of(std::string_view text) {
  const Json fabric = json::json_of_text(text);
  try {
    if (fabric.value("schema", "") != "railgauge/fabric/1")
      throw std::runtime_error("schema: it is no railgauge/fabric/1");
    return read(fabric);
  } catch (const Json::exception& error) {
    throw std::runtime_error(std::string("not as railgauge/fabric/1 has it: ") + error.what());
  }
}

}  // namespace railgauge::fabric
