#include "topology/report.hpp"

#include <nlohmann/json.hpp>

namespace railgauge::topology {
namespace {

using Json = nlohmann::ordered_json;

template <class T, class AsJson>
Json array(const std::vector<T>& all, AsJson as_json) {
  Json list = Json::array();
  for (const T& one : all) list.push_back(as_json(one));
  return list;
}

Json node(const NumaNode& one) {
  return {{"number", one.number},
          {"cpus", cpu_list(one.cpus)},
          {"cores", array(one.cores, cpu_list)},
          {"memory_bytes", one.memory_bytes},
          {"kind", one.kind}};
}

Json link(const PciLink& one) {
  if (!one.known()) return nullptr;
  return {{"gigatransfers_per_second", one.gigatransfers_per_second}, {"lanes", one.lanes}};
}

Json pci(const PciFunction& one) {
  if (one.address.empty()) return nullptr;
  return {{"address", one.address},
          {"bridges", one.bridges},
          {"link", link(one.link)},
          {"hwloc_gigabits_per_second", one.hwloc_gigabits_per_second},
          {"device_most", link(one.device_most)},
          {"slot_most", link(one.slot_most)},
          {"driver", one.driver},
          {"physical_function", one.physical_function}};
}

Json gid(const RdmaGid& one) {
  return {{"index", one.index},
          {"gid", to_string(one.gid)},
          {"type", one.type},
          {"netdev", one.netdev}};
}

Json port(const RdmaPort& one) {
  return {{"number", one.number},
          {"state", one.state},
          {"link_layer", one.link_layer},
          {"rate", one.rate},
          {"gigabits_per_second", one.gigabits_per_second},
          {"gids", array(one.gids, gid)}};
}

Json device(const RdmaDevice& one) {
  return {{"name", one.name},
          {"model", one.model},
          {"firmware", one.firmware},
          {"node_guid", one.node_guid},
          {"system_guid", one.system_guid},
          {"software", one.software},
          {"numa_node", one.locality.numa_node},
          {"cpus", cpu_list(one.locality.cpus)},
          {"remark", one.locality.remark},
          {"pci", pci(one.pci)},
          {"ports", array(one.ports, port)}};
}

Json netdev(const Netdev& one) {
  return {{"name", one.name},
          {"pci", one.pci},
          {"master", one.master},
          {"mtu_bytes", one.mtu_bytes},
          {"addresses", array(one.addresses, [](const NetAddress& address) {
             return to_string(address.address) + "/" + std::to_string(address.prefix_length);
           })}};
}

Json rails(const std::vector<Nic>& nics) {
  Json list = Json::array();
  for (const Nic& nic : nics) {
    list.push_back({{"rail", nic.rail},
                    {"plane", nic.plane},
                    {"device", nic.device},
                    {"port", nic.port},
                    {"netdev", nic.netdev},
                    {"address", nic.address},
                    {"prefix_length", nic.prefix_length},
                    {"gigabits_per_second", nic.gigabits_per_second}});
  }
  return list;
}

Json left_out(const LeftOut& one) {
  return {
      {"device", one.device}, {"port", one.port}, {"reason", one.reason}, {"remedy", one.remedy}};
}

Json fabric(const OtherFabric& one) {
  return {{"name", one.name}, {"reason", one.reason}, {"ports", one.ports}, {"hosts", one.hosts}};
}

Json ranks(const HostReport& host) {
  Json list = Json::array();
  for (const Placement& one : host.ranks) {
    list.push_back({{"rank_of_host", list.size()},
                    {"rails", rails_of(host, one)},
                    {"cpus", cpu_list(one.cpus)},
                    {"numa_node", one.numa_node},
                    {"memory_node", one.memory_node},
                    {"remark", one.remark}});
  }
  return list;
}

Json host(const HostReport& one) {
  return {{"host", one.map.host},
          {"allowed_cpus", cpu_list(one.map.allowed)},
          {"default_route", one.map.default_route},
          {"numa_nodes", array(one.map.nodes, node)},
          {"devices", array(one.map.devices, device)},
          {"netdevs", array(one.map.netdevs, netdev)},
          {"rails", rails(one.rails)},
          {"left_out", array(one.left_out, left_out)},
          {"ranks", ranks(one)},
          {"remarks", one.remarks}};
}

}  // namespace

std::string as_json(const Report& report) {
  const Json document{{"schema", "railgauge/topology/1"},
                      {"rail_rule", words(report.rule)},
                      {"rail_reason", report.reason},
                      {"fabrics", array(report.fabrics, fabric)},
                      {"wrong", report.wrong},
                      {"warnings", report.warnings},
                      {"notes", report.notes},
                      {"hosts", array(report.hosts, host)}};
  // What is not UTF-8 in a recording is shown as such, and does not stop the rest.
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::topology
