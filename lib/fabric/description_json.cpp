#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "fabric/description.hpp"
#include "json/codec.hpp"
#include "json/members.hpp"
#include "json/text.hpp"

namespace railgauge::fabric::described {

constexpr double kMostNumber = 1'000'000;  // of pods, rails, planes: none is that large
constexpr double kMostBytes = 1ULL << 40U;
constexpr double kMostTime = 1e9;
constexpr double kMostMegabits = 1e7;

template <json::Is<Host> Self, class Visit>
void fields(Self& host, Visit& visit) {
  visit.strict();
  visit.required("name", host.name);
  visit.within("pod", host.pod, 0, kMostNumber);
}

template <json::Is<Switch> Self, class Visit>
void fields(Self& made, Visit& visit) {
  visit.strict();
  visit.required("name", made.name);
  visit.within("tier", made.tier, 1, 3);
  visit.within("rail", made.rail, 0, kMostNumber);
  visit.within("plane", made.plane, 0, kMostNumber);
  visit.within("pod", made.pod, 0, kMostNumber);
  visit.if_any("address", made.address);
  visit.if_any("balance", made.balance);
  visit.within("buffer_bytes", made.buffer_bytes, 1, kMostBytes);
}

template <json::Is<Link> Self, class Visit>
void fields(Self& link, Visit& visit) {
  visit.strict();
  visit.required("a", link.a.node);
  visit.required("a_port", link.a.port);
  visit.if_any("a_address", link.a.address);
  visit.required("b", link.b.node);
  visit.required("b_port", link.b.port);
  visit.if_any("b_address", link.b.address);
  visit.within("rate_mbit_per_s", link.rate_mbit_per_s, 1, kMostMegabits);
  visit.within("delay_us", link.delay_us, 0, kMostTime);
  visit.within("mtu_bytes", link.mtu_bytes, 576, 65535);
}

template <json::Is<Priority> Self, class Visit>
void fields(Self& priority, Visit& visit) {
  visit.strict();
  visit.within("priority", priority.priority, 0, 7);
  visit("dscp", priority.dscp);
  visit("lossless", priority.lossless);
  visit.within("ecn_kmin_bytes", priority.ecn_kmin_bytes, 0, kMostBytes);
  visit.within("ecn_kmax_bytes", priority.ecn_kmax_bytes, 0, kMostBytes);
  visit.within("ecn_pmax", priority.ecn_pmax, 0, 1);
}

template <json::Is<Switching> Self, class Visit>
void fields(Self& switching, Visit& visit) {
  visit.strict();
  visit.within("buffer_bytes", switching.buffer_bytes, 1, kMostBytes);
  visit.within("dynamic_threshold", switching.dynamic_threshold, 0, 1024);
  visit.within("pfc_headroom_bytes", switching.pfc_headroom_bytes, 0, kMostBytes);
  visit.within("pfc_watchdog_ms", switching.pfc_watchdog_ms, 0, kMostTime);
  visit("balance", switching.balance);
  visit.within("flowlet_gap_us", switching.flowlet_gap_us, 0, kMostTime);
  visit.within("reroute_after_ms", switching.reroute_after_ms, -1, kMostTime);
  visit.within("icmp_per_second", switching.icmp_per_second, 0, kMostTime);
  visit("priorities", switching.priorities);
}

template <json::Is<Fault> Self, class Visit>
void fields(Self& fault, Visit& visit) {
  visit.strict();
  visit.required("at", fault.at);
  visit("direction", fault.direction);
  visit.required("fault", fault.fault);
}

template <json::Is<Fabric> Self, class Visit>
void fields(Self& self, Visit& visit) {
  visit.strict();
  visit.schema("railgauge/fabric/1");
  RAILGAUGE_VISIT(name, description, seed, addressing, hosts, switches, links, switching, faults);
}

}  // namespace railgauge::fabric::described

namespace railgauge::json {

template <>
struct Codec<fabric::described::Balance> {
  static Json encode(fabric::described::Balance balance) {
    return fabric::described::name_of(balance);
  }
  static void decode(const Json& json, fabric::described::Balance& balance) {
    std::string name;
    json::decode(json, name);
    try {
      balance = fabric::described::balance_of(name);
    } catch (const std::runtime_error& error) {
      throw FieldError(std::string("is wrong: ") + error.what());
    }
  }
};

}  // namespace railgauge::json

namespace railgauge::fabric::described {
namespace {

constexpr std::array<std::pair<Balance, std::string_view>, 6> kBalances{{
    {Balance::ecmp, "ecmp"},
    {Balance::ecmp_queue_pair, "ecmp+qp"},
    {Balance::wcmp, "wcmp"},
    {Balance::flowlet, "flowlet"},
    {Balance::spray, "spray"},
    {Balance::adaptive, "adaptive"},
}};

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
  throw std::runtime_error("'" + std::string{name} + "' is not one of " + known);
}

Fabric fabric_of(const json::Json& document) {
  Fabric fabric;
  json::decode(document, fabric);
  check(fabric);
  return fabric;
}

namespace {

/// Of two fields of one name a reader keeps one: such a file is refused.
json::Json without_duplicates(const std::string& text) {
  static_cast<void>(json::json_of_text(text));  // which says why it is none
  using Event = json::Json::parse_event_t;
  std::vector<std::set<std::string>> open;
  const auto look = [&open](int /*depth*/, Event event, json::Json& parsed) {
    if (event == Event::object_start) open.emplace_back();
    if (event == Event::object_end) open.pop_back();
    if (event != Event::key || open.back().insert(parsed.get<std::string>()).second) return true;
    throw std::runtime_error("the field '" + parsed.get<std::string>() + "' is there twice");
  };
  return json::Json::parse(text, look);
}

}  // namespace

Fabric fabric_in(std::string_view text) {
  return fabric_of(without_duplicates(std::string(text)));
}

json::Json document_of(const Fabric& fabric) {
  return json::encode(fabric);
}

}  // namespace railgauge::fabric::described
