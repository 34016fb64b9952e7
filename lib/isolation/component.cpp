#include "isolation/component.hpp"

namespace railgauge::isolation {
namespace {

const std::string& switch_name(int index, const Evidence& evidence) {
  return evidence.switches.at(static_cast<std::size_t>(index));
}

const Nic& nic_of(const Component& component, const Evidence& evidence) {
  return evidence.nics.at(static_cast<std::size_t>(component.first));
}

std::string nic_name(const Component& component, const Evidence& evidence) {
  const Nic& nic = nic_of(component, evidence);
  return nic.host + " " + nic.name;
}

}  // namespace

std::string_view word(Kind kind) {
  switch (kind) {
    case Kind::link: return "link";
    case Kind::nic_sends: return "nic-sends";
    case Kind::nic_receives: return "nic-receives";
    case Kind::nic: return "nic";
    case Kind::host: return "host";
    case Kind::leaf: return "leaf";
    case Kind::spine: return "spine";
    case Kind::uplinks: return "uplinks";
    case Kind::downlinks: return "downlinks";
    case Kind::core: return "core";
  }
  return "";
}

bool is_of_unknown_path(const Component& component) {
  return component.kind == Kind::uplinks || component.kind == Kind::downlinks ||
         component.kind == Kind::core;
}

std::string in_words(const Component& component, const Evidence& evidence) {
  switch (component.kind) {
    case Kind::link:
      return "link " + switch_name(component.first, evidence) + " -> " +
             switch_name(component.second, evidence);
    case Kind::nic_sends: return "what " + nic_name(component, evidence) + " sends";
    case Kind::nic_receives: return "what " + nic_name(component, evidence) + " receives";
    case Kind::nic: return "NIC " + nic_name(component, evidence);
    case Kind::host: return "host " + nic_of(component, evidence).host;
    case Kind::leaf: return "leaf " + switch_name(component.first, evidence);
    case Kind::spine: return "spine " + switch_name(component.first, evidence);
    case Kind::uplinks:
      return "somewhere beyond leaf " + switch_name(component.first, evidence) +
             ", on the way up (path not known)";
    case Kind::downlinks:
      return "somewhere before leaf " + switch_name(component.first, evidence) +
             ", on the way down (path not known)";
    case Kind::core: return "somewhere between the NICs (path not known)";
  }
  return "";
}

std::string advice(const Component& component, const Evidence& evidence) {
  switch (component.kind) {
    case Kind::link:
      return "look at the port of " + switch_name(component.first, evidence) + " towards " +
             switch_name(component.second, evidence) +
             " and its counterpart: errors, FEC, discards, speed; then change cable or optic";
    case Kind::nic_sends:
      return "look at this NIC and the switch port that receives from it: errors, pause, speed; "
             "then at the NIC's PCIe link, cable and optic";
    case Kind::nic_receives:
      return "look at the switch port that sends to this NIC: errors, discards, speed; then at the "
             "NIC's cable, PCIe link and pauses that it sends";
    case Kind::nic: return "look at this NIC's cable, optic and PCIe link, both ways";
    case Kind::host:
      return "look at what its NICs share: processors, memory, PCIe switch, configuration";
    case Kind::leaf:
    case Kind::spine:
      return "look at the switch: its buffers, discards on all ports, configuration, load";
    case Kind::uplinks:
    case Kind::downlinks:
    case Kind::core: return "ask the switches' own counters: from hosts the path cannot be told";
  }
  return "";
}

}  // namespace railgauge::isolation
