#include "checks/place.hpp"

#include <utility>

namespace railgauge::checks {
namespace {

using finding::Endpoint;
using finding::Finding;
using finding::Location;
using finding::Scope;
using topology::Host;
using topology::Nic;
using topology::RailPlane;

void put_at(Endpoint& end, const RailPlane& place) {
  if (place.rail >= 0) end.rail = place.rail;
  if (place.planes > 1) end.plane = place.plane;
}

}  // namespace

std::vector<Placed> nics_of(const topology::FoundRails& found) {
  std::vector<Placed> all;
  for (const Host& host : found.hosts) {
    for (const Nic& nic : host.rails) all.push_back({&host, &nic});
  }
  return all;
}

Location port_of(const Placed& placed) {
  const Nic& nic = *placed.nic;
  Location where = port_of(*placed.host, nic.device, nic.port, rail_plane_of(nic));
  where.at.address = nic.address;
  return where;
}

Location device_of(const Placed& placed) {
  Location where{.scope = Scope::device,
                 .at = {.host = placed.host->name, .device = placed.nic->device}};
  if (placed.nic->rail >= 0) where.at.rail = placed.nic->rail;
  return where;
}

Location port_of(const Host& host, const std::string& device, int port, const RailPlane& place) {
  Location where{.scope = Scope::port, .at = {.host = host.name, .device = device}};
  if (!device.empty()) where.at.port = port;
  put_at(where.at, place);
  return where;
}

Location host_of(const Host& host) {
  return {.scope = Scope::host, .at = {.host = host.name}};
}

Location rail_of(const RailPlane& place) {
  Location where{.scope = Scope::rail};
  put_at(where.at, place);
  return where;
}

Finding fact(finding::Cause cause, Location where, std::string text, std::string remedy) {
  Finding finding = finding::found("topology", cause, std::move(where));
  finding.certainty = finding::Certainty::confirmed;
  if (!text.empty()) finding.evidence.push_back({.text = std::move(text)});
  finding.remedy = std::move(remedy);
  return finding;
}

Finding note(finding::Cause cause, Location where, std::string detail, std::string text,
             std::string remedy) {
  Finding finding = fact(cause, std::move(where), std::move(text), std::move(remedy));
  finding.severity = finding::Severity::info;
  finding.detail = std::move(detail);
  return finding;
}

std::string port_text(const std::string& device, int port) {
  return in_words(Endpoint{.device = device, .port = port});
}

std::string with_address(const Nic& nic) {
  return port_text(nic.device, nic.port) + " " + address_of(nic);
}

std::string with_address(const Placed& placed) {
  return placed.host->name + " " + with_address(*placed.nic);
}

}  // namespace railgauge::checks
