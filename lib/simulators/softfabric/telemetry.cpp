#include "softfabric/telemetry.hpp"

#include <nlohmann/json.hpp>

namespace railgauge::softfabric {
namespace {

using Json = nlohmann::ordered_json;

double seconds(Time time) {
  return std::chrono::duration<double>(time).count();
}
double microseconds(Time time) {
  return 1e6 * seconds(time);
}

/// With the pause that goes on.
Time time_paused(const Model& model, const Wire& wire, std::size_t priority) {
  const Paused& paused = wire.paused[priority];
  const Time before = wire.counters[priority].paused;
  return paused.active ? before + model.now() - paused.since : before;
}

Json drops_of(const PriorityCounters& counters) {
  Json drops = Json::object();
  for (std::size_t reason = 0; reason < kDrops; ++reason) {
    if (counters.drops[reason] == 0) continue;
    drops[std::string(name_of(static_cast<Drop>(reason)))] = counters.drops[reason];
  }
  return drops;
}

Json json_of(const Model& model, const Wire& wire, std::size_t priority) {
  const PriorityCounters& counters = wire.counters[priority];
  return {{"priority", priority},
          {"sent_packets", counters.sent_packets},
          {"sent_bytes", counters.sent_bytes},
          {"received_packets", counters.received_packets},
          {"received_bytes", counters.received_bytes},
          {"drops", drops_of(counters)},
          {"ce_marks", counters.ce_marks},
          {"pauses_sent", counters.pauses_sent},
          {"pauses_received", counters.pauses_received},
          {"paused_us", microseconds(time_paused(model, wire, priority))},
          {"queue_bytes", wire.queues[priority].bytes()},
          {"queue_most_bytes", counters.most_queued_bytes},
          {"queue_depths", counters.queue_depths}};
}

bool is_described(const Model& model, std::size_t priority) {
  for (const Priority& one : model.fabric().switching.priorities) {
    if (static_cast<std::size_t>(one.priority) == priority) return true;
  }
  return false;
}

bool is_used(const PriorityCounters& counters) {
  std::uint64_t any = counters.sent_packets + counters.received_packets + counters.pauses_received;
  for (const std::uint64_t count : counters.drops) any += count;
  return any != 0;
}

Json json_of(const Model& model, Index index) {
  const Wire& wire = model.wire(index);
  const Link& link = model.fabric().links[link_of(index)];
  const LinkEnd& from = index % 2 == 0 ? link.a : link.b;
  const LinkEnd& to = index % 2 == 0 ? link.b : link.a;
  Json priorities = Json::array();
  for (std::size_t priority = 0; priority < kPriorities; ++priority) {
    if (!is_described(model, priority) && !is_used(wire.counters[priority])) continue;
    priorities.push_back(json_of(model, wire, priority));
  }
  return {{"link", link_name(model.fabric(), link_of(index))},
          {"direction", direction_name(index)},
          {"from", from.node},
          {"from_port", from.port},
          {"to", to.node},
          {"to_port", to.port},
          {"up", wire.up},
          {"faulty", wire.faults != Faults{}},
          {"priorities", std::move(priorities)}};
}

Json congestion_of(const PriorityCounters& counters, std::size_t priority) {
  return {{"priority", priority},
          {"sent_packets", counters.sent_packets},
          {"drops", drops_of(counters)},
          {"ce_marks", counters.ce_marks},
          {"pauses_sent", counters.pauses_sent},
          {"pauses_received", counters.pauses_received}};
}

Json congestion_of(const Model& model, Index index) {
  const Wire& wire = model.wire(index);
  const Link& link = model.fabric().links[link_of(index)];
  Json priorities = Json::array();
  for (std::size_t priority = 0; priority < kPriorities; ++priority) {
    if (is_used(wire.counters[priority]))
      priorities.push_back(congestion_of(wire.counters[priority], priority));
  }
  return {{"from", index % 2 == 0 ? link.a.node : link.b.node},
          {"to", index % 2 == 0 ? link.b.node : link.a.node},
          {"priorities", std::move(priorities)}};
}

Json json_of_switch(const Model& model, std::size_t number) {
  return {{"name", model.fabric().switches[number].name},
          {"balance", name_of(model.balancer(number).balance())},
          {"seed", model.balancer(number).seed()},
          {"buffer_bytes", model.buffer(number).used()},
          {"buffer_most_bytes", model.buffer(number).most_used()}};
}

Json packets_of(const Model& model) {
  const ModelTotals& totals = model.totals();
  return {{"received", totals.received},
          {"made", totals.made},
          {"delivered", totals.delivered},
          {"dropped", totals.dropped},
          {"held", model.packets_held()}};
}

Json lateness_of(const Model& model) {
  const Lateness& lateness = model.lateness();
  return {{"kept_up", kept_up(lateness, model.totals())},
          {"late_packets", lateness.late_packets},
          {"unread_packets", lateness.unread_packets},
          {"refused_packets", lateness.refused_packets},
          {"most_us", microseconds(lateness.most)}};
}

}  // namespace

Json congestion_of(const Model& model) {
  Json directions = Json::array();
  for (Index index = 0; index < model.topology().wires.size(); ++index)
    directions.push_back(congestion_of(model, index));
  return {{"schema", "railgauge/fabric-counters/1"},
          {"time_s", seconds(model.now())},
          {"lateness", lateness_of(model)},
          {"packets", packets_of(model)},
          {"directions", std::move(directions)}};
}

Json counters_of(const Model& model) {
  Json switches = Json::array();
  for (std::size_t number = 0; number < model.fabric().switches.size(); ++number) {
    switches.push_back(json_of_switch(model, number));
  }
  Json directions = Json::array();
  for (Index index = 0; index < model.topology().wires.size(); ++index) {
    directions.push_back(json_of(model, index));
  }
  const auto error = model.conservation_error();
  return {{"schema", "railgauge/fabric-counters/1"},
          {"fabric", model.fabric().name},
          {"time_s", seconds(model.now())},
          {"lateness", lateness_of(model)},
          {"conserved", !error},
          {"conservation_error", error.value_or("")},
          {"packets", packets_of(model)},
          {"switches", std::move(switches)},
          {"directions", std::move(directions)}};
}

}  // namespace railgauge::softfabric
