#include "softfabric/rig.hpp"

#include <gtest/gtest.h>

#include "fabric/addresses.hpp"

namespace railgauge::softfabric {
namespace {

constexpr double kRate = 1000;

std::string numbered(const char* what, int number) {
  return what + std::to_string(number);
}

Link link_between(const std::string& a, const std::string& a_port, const std::string& b) {
  return {.a = {.node = a, .port = a_port},
          .b = {.node = b, .port = a},
          .rate_mbit_per_s = kRate,
          .delay_us = 1};
}

}  // namespace

Fabric shaped(const Shape& shape) {
  Fabric fabric;
  for (int leaf = 0; leaf < shape.leaves; ++leaf) {
    fabric.switches.push_back({.name = numbered("leaf", leaf)});
  }
  for (int spine = 0; spine < shape.spines; ++spine) {
    fabric.switches.push_back({.name = numbered("spine", spine), .tier = 2});
  }
  for (int host = 0; host < shape.hosts_per_leaf * shape.leaves; ++host) {
    fabric.hosts.push_back({.name = numbered("host", host)});
    fabric.links.push_back(link_between(numbered("host", host), "rail0",
                                        numbered("leaf", host / shape.hosts_per_leaf)));
  }
  for (int leaf = 0; leaf < shape.leaves; ++leaf) {
    for (int spine = 0; spine < shape.spines; ++spine) {
      const std::string name = numbered("spine", spine);
      fabric.links.push_back(link_between(numbered("leaf", leaf), name, name));
    }
  }
  fabric.switching.priorities = {{.priority = 0, .dscp = {0}},
                                 {.priority = 3,
                                  .dscp = {kLosslessDscp},
                                  .lossless = true,
                                  .ecn_kmin_bytes = 50U << 10U,
                                  .ecn_kmax_bytes = 100U << 10U}};
  fill_in(fabric);
  return fabric;
}

std::vector<Frame> Hosts::at(std::size_t link) const {
  std::vector<Frame> frames;
  for (const Got& got : packets) {
    if (got.link == link) frames.push_back(got.frame);
  }
  return frames;
}

Rig::Rig(const Fabric& fabric, Model::Limits limits) : model(fabric, hosts, limits) {
  model.advance(now);
}

void Rig::check() {
  const auto error = model.conservation_error();
  EXPECT_FALSE(error.has_value()) << *error;
}

void Rig::send(std::size_t from, std::size_t to, FrameOf what) {
  what.source = address(from);
  what.destination = address(to);
  send(from, frame_of(what));
}

void Rig::send(std::size_t from, const Frame& frame) {
  model.receive(from, frame, now);
  model.release();
  check();
}

void Rig::run(Time duration) {
  const Time end = now + duration;
  while (model.next_event() && *model.next_event() <= end) {
    model.advance(*model.next_event());
    model.release();
    check();
  }
  now = end;
  model.advance(now);
}

void Rig::run_out() {
  while (const auto next = model.next_event()) run(std::max(*next - now, Time{}));
}

std::uint32_t Rig::address(std::size_t link) const {
  return fabric::described::ipv4_of(model.fabric().links[link].a.address).value();
}

Index Rig::wire(const char* from, const char* to) const {
  const Topology& topology = model.topology();
  for (const Index wire : topology.leaving[topology.node(from)]) {
    if (topology.wires[wire].to == topology.node(to)) return wire;
  }
  ADD_FAILURE() << "no link from " << from << " to " << to;
  return 0;
}

const PriorityCounters& Rig::counters(Index wire, std::size_t priority) const {
  return model.wire(wire).counters[priority];
}

std::uint64_t Rig::drops(Drop reason) const {
  std::uint64_t all = 0;
  for (Index wire = 0; wire < model.topology().wires.size(); ++wire) {
    for (const PriorityCounters& one : model.wire(wire).counters) {
      all += one.drops[static_cast<std::size_t>(reason)];
    }
  }
  return all;
}

std::uint64_t Rig::marks() const {
  std::uint64_t all = 0;
  for (Index wire = 0; wire < model.topology().wires.size(); ++wire) {
    for (const PriorityCounters& one : model.wire(wire).counters) all += one.ce_marks;
  }
  return all;
}

std::uint64_t Rig::sent(Index wire) const {
  return model.wire(wire).totals.sent;
}

}  // namespace railgauge::softfabric
