#include "softfabric/control.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "softfabric/fault_injection.hpp"
#include "softfabric/quantity.hpp"
#include "softfabric/telemetry.hpp"

namespace railgauge::softfabric {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  constexpr std::string_view kSpace = " \t\r\n";
  Words words;
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size()));
    if (line.empty()) return words;
    const std::size_t end = std::min(line.find_first_of(kSpace), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::string done() {
  return "{\"ok\":true}\n";
}

std::string counters(Model& model, const Words& /*words*/) {
  return counters_of(model).dump() + "\n";
}

std::string congestion(Model& model, const Words& /*words*/) {
  return congestion_of(model).dump() + "\n";
}

std::string prometheus(Model& model, const Words& /*words*/) {
  return prometheus_of(model);
}

std::string fault(Model& model, const Words& words) {
  std::string faults;
  for (std::size_t at = 3; at < words.size(); ++at) faults += std::string(words[at]) + " ";
  plant(model, words[1], words[2], faults);
  return done();
}

std::string clear(Model& model, const Words& words) {
  clear_faults(model, words.size() > 1 ? words[1] : std::string_view{});
  return done();
}

std::string link(Model& model, const Words& words) {
  plant(model, words[1], "both", "link=" + std::string(words[2]));
  return done();
}

std::string reboot(Model& model, const Words& words) {
  const auto duration = parse_duration(words.size() > 2 ? words[2] : "1s");
  if (!duration) throw std::runtime_error("reboot takes a time, such as 1s or 500ms");
  model.reboot(switch_called(model, words[1]), *duration);
  return done();
}

std::string seed(Model& model, const Words& words) {
  const auto number = parse_whole(words[2]);
  if (!number) throw std::runtime_error("seed takes a whole number");
  model.set_seed(switch_called(model, words[1]), *number);
  return done();
}

Headers headers_of(std::string_view words) {
  const Flow flow = with_words({}, "flow=" + std::string(words)).flow.value();
  return {.source = flow.source,
          .destination = flow.destination,
          .source_port = flow.source_port,
          .destination_port = flow.destination_port,
          .protocol = kUdp};
}

std::string path(Model& model, const Words& words) {
  const Headers headers = headers_of(words[1]);
  const Topology& topology = model.topology();
  const Index source = topology.wire_to(headers.source);
  Json names = Json::array();
  if (source == kNone) throw std::runtime_error("no host has the flow's source address");
  for (Index node = topology.wires[source].from; !topology.is_host(node);) {
    names.push_back(topology.names[node]);
    const Index wire = model.predicted_wire(node - topology.hosts, headers);
    if (wire == kNone) throw std::runtime_error("there is no way to the flow's destination");
    node = topology.wires[wire].to;
  }
  return Json{{"path", std::move(names)}}.dump() + "\n";
}

struct Request {
  std::string_view name;
  std::size_t least_words;
  std::size_t most_words;
  std::string (*carry_out)(Model& model, const Words& words);
};

constexpr std::array kRequestTable{
    Request{"counters", 1, 1, counters},
    Request{"congestion", 1, 1, congestion},
    Request{"prometheus", 1, 1, prometheus},
    Request{"fault", 4, 64, fault},
    Request{"clear", 1, 2, clear},
    Request{"link", 3, 3, link},
    Request{"reboot", 2, 3, reboot},
    Request{"seed", 3, 3, seed},
    Request{"path", 2, 2, path},
};

std::string carried_out(Model& model, const Words& words) {
  const std::string_view name = words.empty() ? std::string_view{} : words[0];
  const auto request = std::ranges::find(kRequestTable, name, &Request::name);
  const bool fits = request != kRequestTable.end() && words.size() >= request->least_words &&
                    words.size() <= request->most_words;
  if (!fits) {
    throw std::runtime_error("'" + std::string(name) + "' is not understood; use\n" +
                             std::string(kRequests));
  }
  return request->carry_out(model, words);
}

}  // namespace

std::string answer(Model& model, std::string_view line) {
  try {
    return carried_out(model, words_of(line));
  } catch (const std::exception& error) {
    return Json{{"error", error.what()}}.dump() + "\n";
  }
}

}  // namespace railgauge::softfabric
