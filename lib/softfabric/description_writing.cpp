#include <nlohmann/json.hpp>

#include "softfabric/description.hpp"

namespace railgauge::softfabric {
namespace {

using Json = nlohmann::ordered_json;

void put(Json& json, const char* field, const std::string& text) {
  if (!text.empty()) json[field] = text;
}

template <class Value>
void put(Json& json, const char* field, const std::optional<Value>& value) {
  if (value) json[field] = *value;
}

Json json_of(const Host& host) {
  return {{"name", host.name}, {"pod", host.pod}};
}

Json json_of(const Switch& made) {
  Json json{{"name", made.name}, {"tier", made.tier}};
  put(json, "rail", made.rail);
  put(json, "plane", made.plane);
  put(json, "pod", made.pod);
  put(json, "address", made.address);
  if (made.balance) json["balance"] = name_of(*made.balance);
  return json;
}

Json json_of(const Link& link) {
  Json json{{"a", link.a.node}, {"a_port", link.a.port}};
  put(json, "a_address", link.a.address);
  json["b"] = link.b.node;
  json["b_port"] = link.b.port;
  put(json, "b_address", link.b.address);
  json["rate_mbit_per_s"] = link.rate_mbit_per_s;
  json["delay_us"] = link.delay_us;
  json["mtu_bytes"] = link.mtu_bytes;
  return json;
}

Json json_of(const Priority& priority) {
  Json json{
      {"priority", priority.priority}, {"dscp", priority.dscp}, {"lossless", priority.lossless}};
  put(json, "ecn_kmin_bytes", priority.ecn_kmin_bytes);
  put(json, "ecn_kmax_bytes", priority.ecn_kmax_bytes);
  json["ecn_pmax"] = priority.ecn_pmax;
  return json;
}

Json json_of(const Fault& fault) {
  return {{"at", fault.at}, {"direction", fault.direction}, {"fault", fault.fault}};
}

template <class Element>
Json json_of(const std::vector<Element>& all) {
  Json list = Json::array();
  for (const Element& one : all) list.push_back(json_of(one));
  return list;
}

Json json_of(const Switching& switching) {
  return {{"buffer_bytes", switching.buffer_bytes},
          {"dynamic_threshold", switching.dynamic_threshold},
          {"pfc_headroom_bytes", switching.pfc_headroom_bytes},
          {"pfc_watchdog_ms", switching.pfc_watchdog_ms},
          {"balance", name_of(switching.balance)},
          {"flowlet_gap_us", switching.flowlet_gap_us},
          {"reroute_after_ms", switching.reroute_after_ms},
          {"icmp_per_second", switching.icmp_per_second},
          {"priorities", json_of(switching.priorities)}};
}

}  // namespace

Json document_of(const Fabric& fabric) {
  return {{"schema", "railgauge/fabric/1"},         {"name", fabric.name},
          {"description", fabric.description},      {"seed", fabric.seed},
          {"addressing", fabric.addressing},        {"hosts", json_of(fabric.hosts)},
          {"switches", json_of(fabric.switches)},   {"links", json_of(fabric.links)},
          {"switching", json_of(fabric.switching)}, {"faults", json_of(fabric.faults)}};
}

}  // namespace railgauge::softfabric
