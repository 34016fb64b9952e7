#include "isolation/component.hpp"

namespace railgauge::isolation {
namespace {

using finding::Direction;
using finding::Location;
using finding::Scope;

const std::string& switch_name(int index, const Evidence& evidence) {
  return evidence.switches.at(static_cast<std::size_t>(index));
}

const Nic& nic_of(const Component& component, const Evidence& evidence) {
  return evidence.nics.at(static_cast<std::size_t>(component.first));
}

Location port_of(const Nic& nic, Direction direction) {
  return {.scope = Scope::port, .direction = direction, .at = nic.end};
}

Location host_of(const Nic& nic) {
  return {.scope = Scope::host, .at = {.host = nic.host, .ranks = nic.end.ranks}};
}

Location link_of(const std::string& from, const std::string& to) {
  return {.scope = Scope::link, .switches = {from, to}};
}

std::string remedy_of_link(const std::string& from, const std::string& to) {
  return "check the port of " + from + " to " + to +
         " and its peer (errors, FEC, discards, speed), then cable and transceiver";
}

}  // namespace

bool is_of_unknown_path(const Component& component) {
  return component.kind == Kind::uplinks || component.kind == Kind::downlinks ||
         component.kind == Kind::core;
}

Location location_of(const Component& component, const Evidence& evidence) {
  switch (component.kind) {
    case Kind::link:
      return link_of(switch_name(component.first, evidence),
                     switch_name(component.second, evidence));
    case Kind::cable:
      return {.scope = Scope::cable,
              .switches = {switch_name(component.first, evidence),
                           switch_name(component.second, evidence)}};
    case Kind::nic_transmit: return port_of(nic_of(component, evidence), Direction::transmit);
    case Kind::nic_receive: return port_of(nic_of(component, evidence), Direction::receive);
    case Kind::nic: return port_of(nic_of(component, evidence), Direction::both);
    case Kind::host: return host_of(nic_of(component, evidence));
    case Kind::leaf:
    case Kind::spine:
      return {.scope = Scope::node, .switches = {switch_name(component.first, evidence)}};
    case Kind::uplinks: return link_of(switch_name(component.first, evidence), "");
    case Kind::downlinks: return link_of("", switch_name(component.first, evidence));
    case Kind::core: break;
  }
  return {.scope = Scope::fabric};
}

std::string remedy_at(const Component& component, const Evidence& evidence) {
  switch (component.kind) {
    case Kind::link:
    case Kind::cable:
      return remedy_of_link(switch_name(component.first, evidence),
                            switch_name(component.second, evidence));
    case Kind::nic_transmit:
      return "check the switch port that receives from this NIC (errors, pause frames, speed), "
             "then "
             "cable, transceiver and PCIe link";
    case Kind::nic_receive:
      return "check the switch port that sends to this NIC (errors, discards, speed), then cable, "
             "transceiver, PCIe link and the NIC's pause frames";
    case Kind::nic: return "check cable, transceiver and PCIe link of this NIC";
    case Kind::host: return "check what its NICs share: CPUs, memory, PCIe switch, configuration";
    case Kind::leaf:
    case Kind::spine:
      return "check the switch: buffers, discards on all ports, configuration, load";
    case Kind::uplinks:
    case Kind::downlinks:
    case Kind::core: break;
  }
  return "check the port counters of the switches: hosts cannot trace this path";
}

}  // namespace railgauge::isolation
