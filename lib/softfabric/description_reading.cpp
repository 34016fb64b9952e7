#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "softfabric/addresses.hpp"
#include "softfabric/description.hpp"
#include "softfabric/description_check.hpp"
#include "softfabric/json_fields.hpp"

namespace railgauge::softfabric {
namespace {

using Json = nlohmann::json;

constexpr const char* kSchema = "railgauge/fabric/1";
constexpr std::uint64_t kMostNumber = 1'000'000;  // of pods, rails, planes: none is that large
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U;
constexpr double kMostTime = 1e9;

constexpr std::array<std::pair<Balance, std::string_view>, 6> kBalances{{
    {Balance::ecmp, "ecmp"},
    {Balance::ecmp_queue_pair, "ecmp+qp"},
    {Balance::wcmp, "wcmp"},
    {Balance::flowlet, "flowlet"},
    {Balance::spray, "spray"},
    {Balance::adaptive, "adaptive"},
}};

std::optional<int> small_number(const JsonFields& fields, const char* field) {
  const auto number = fields.whole(field, kMostNumber);
  if (!number) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<Balance> balance_in(const JsonFields& fields) {
  if (fields.find("balance") == nullptr) return std::nullopt;
  try {
    return balance_of(fields.text("balance"));
  } catch (const std::runtime_error& error) {
    fields.refuse("balance", error.what());
  }
}

Host host_of(const Json& json, const std::string& place) {
  const JsonFields fields(json, place, {"name", "pod"});
  return {.name = fields.text("name"), .pod = small_number(fields, "pod").value_or(0)};
}

Switch switch_of(const Json& json, const std::string& place) {
  const JsonFields fields(json, place,
                          {"name", "tier", "rail", "plane", "pod", "address", "balance"});
  Switch made;
  made.name = fields.text("name");
  made.tier = static_cast<int>(fields.number("tier", made.tier, 1, 3));
  made.rail = small_number(fields, "rail");
  made.plane = small_number(fields, "plane");
  made.pod = small_number(fields, "pod");
  made.address = fields.text("address", "");
  made.balance = balance_in(fields);
  return made;
}

Link link_of(const Json& json, const std::string& place) {
  const JsonFields fields(json, place,
                          {"a", "a_port", "a_address", "b", "b_port", "b_address",
                           "rate_mbit_per_s", "delay_us", "mtu_bytes"});
  Link link;
  link.a = {fields.text("a"), fields.text("a_port"), fields.text("a_address", "")};
  link.b = {fields.text("b"), fields.text("b_port"), fields.text("b_address", "")};
  link.rate_mbit_per_s = fields.number("rate_mbit_per_s", link.rate_mbit_per_s, 1, 1e6);
  link.delay_us = fields.number("delay_us", link.delay_us, 0, kMostTime);
  link.mtu_bytes = static_cast<int>(fields.number("mtu_bytes", link.mtu_bytes, 576, 65535));
  return link;
}

std::vector<int> dscp_in(const JsonFields& fields) {
  std::vector<int> all;
  fields.each("dscp", [&](const Json& json, const std::string& place) {
    if (!is_whole(json) || json.get<std::uint64_t>() > 63) {
      throw std::runtime_error(place + ": must be a whole number from 0 to 63");
    }
    all.push_back(json.get<int>());
  });
  return all;
}

Priority priority_of(const Json& json, const std::string& place) {
  const JsonFields fields(
      json, place,
      {"priority", "dscp", "lossless", "ecn_kmin_bytes", "ecn_kmax_bytes", "ecn_pmax"});
  Priority made;
  made.priority = static_cast<int>(fields.whole("priority", 7).value_or(0));
  made.dscp = dscp_in(fields);
  made.lossless = fields.flag("lossless", made.lossless);
  made.ecn_kmin_bytes = fields.whole("ecn_kmin_bytes", kMostBytes);
  made.ecn_kmax_bytes = fields.whole("ecn_kmax_bytes", kMostBytes);
  made.ecn_pmax = fields.number("ecn_pmax", made.ecn_pmax, 0, 1);
  return made;
}

Switching switching_of(const Json& json, const std::string& place) {
  const JsonFields fields(
      json, place,
      {"buffer_bytes", "dynamic_threshold", "pfc_headroom_bytes", "pfc_watchdog_ms", "balance",
       "flowlet_gap_us", "reroute_after_ms", "icmp_per_second", "priorities"});
  Switching made;
  made.buffer_bytes = fields.whole("buffer_bytes", kMostBytes).value_or(made.buffer_bytes);
  made.dynamic_threshold = fields.number("dynamic_threshold", made.dynamic_threshold, 0, 1024);
  made.pfc_headroom_bytes =
      fields.whole("pfc_headroom_bytes", kMostBytes).value_or(made.pfc_headroom_bytes);
  made.pfc_watchdog_ms = fields.number("pfc_watchdog_ms", made.pfc_watchdog_ms, 0, kMostTime);
  made.balance = balance_in(fields).value_or(made.balance);
  made.flowlet_gap_us = fields.number("flowlet_gap_us", made.flowlet_gap_us, 0, kMostTime);
  made.reroute_after_ms = fields.number("reroute_after_ms", made.reroute_after_ms, -1, kMostTime);
  made.icmp_per_second = fields.number("icmp_per_second", made.icmp_per_second, 0, kMostTime);
  fields.each("priorities", [&](const Json& one, const std::string& where) {
    made.priorities.push_back(priority_of(one, where));
  });
  return made;
}

Fault fault_of(const Json& json, const std::string& place) {
  const JsonFields fields(json, place, {"at", "direction", "fault"});
  return {fields.text("at"), fields.text("direction", "both"), fields.text("fault")};
}

Fabric fabric_in(const JsonFields& fields) {
  if (fields.text("schema") != kSchema) {
    fields.refuse("schema", std::string{"must be "} + kSchema);
  }
  Fabric fabric;
  fabric.name = fields.text("name", fabric.name);
  fabric.description = fields.text("description", "");
  fabric.seed = fields.whole("seed", UINT64_MAX).value_or(fabric.seed);
  fabric.addressing = fields.text("addressing", fabric.addressing);
  const auto collect = [&](const char* field, auto& all, const auto& read) {
    fields.each(
        field, [&](const Json& one, const std::string& place) { all.push_back(read(one, place)); });
  };
  collect("hosts", fabric.hosts, host_of);
  collect("switches", fabric.switches, switch_of);
  collect("links", fabric.links, link_of);
  collect("faults", fabric.faults, fault_of);
  if (const Json* const switching = fields.find("switching")) {
    fabric.switching = switching_of(*switching, "switching");
  }
  return fabric;
}

}  // namespace

std::string_view name_of(Balance balance) {
  return std::ranges::find(kBalances, balance, [](const auto& one) { return one.first; })->second;
}

Balance balance_of(std::string_view name) {
  std::string known;
  for (const auto& [balance, word] : kBalances) {
    if (word == name) return balance;
    known += (known.empty() ? "" : ", ") + std::string{word};
  }
  throw std::runtime_error("'" + std::string{name} + "' is none of " + known);
}

Fabric fabric_of(const Json& document) {
  const JsonFields fields(document, "",
                          {"schema", "name", "description", "seed", "addressing", "hosts",
                           "switches", "links", "switching", "faults"});
  Fabric fabric = fabric_in(fields);
  check(fabric);
  fill_in(fabric);
  return fabric;
}

Fabric read_fabric(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  try {
    return fabric_of(Json::parse(file));
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace railgauge::softfabric
