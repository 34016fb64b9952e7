#include "softfabric/fault_injection.hpp"

#include <stdexcept>

namespace railgauge::softfabric {
namespace {

using Direction = Model::Direction;

std::vector<Direction> directions_of(std::string_view word) {
  if (word == "a-to-b") return {Direction::a_to_b};
  if (word == "b-to-a") return {Direction::b_to_a};
  if (word == "both") return {Direction::a_to_b, Direction::b_to_a};
  throw std::runtime_error("'" + std::string(word) + "' is none of a-to-b, b-to-a, both");
}

}  // namespace

std::size_t switch_called(const Model& model, std::string_view name) {
  const Index node = model.topology().node(name);
  if (node != kNone && !model.topology().is_host(node)) return node - model.topology().hosts;
  throw std::runtime_error("there is no switch '" + std::string(name) + "'");
}

std::vector<std::size_t> links_at(const Model& model, std::string_view at) {
  std::vector<std::size_t> links;
  const Topology& topology = model.topology();
  const Index node = topology.node(at);
  if (node != kNone) {
    for (const Index wire : topology.leaving[node]) links.push_back(link_of(wire));
  } else if (at.empty()) {
    for (std::size_t link = 0; link < model.fabric().links.size(); ++link) links.push_back(link);
  } else if (const auto link = find_link(model.fabric(), at)) {
    links.push_back(*link);
  } else {
    throw std::runtime_error("'" + std::string(at) + "' is neither a link, a port nor a switch");
  }
  return links;
}

void plant(Model& model, std::string_view at, std::string_view direction, std::string_view words) {
  const auto links = links_at(model, at);
  const auto directions = directions_of(direction);
  with_words({}, words);  // throws before anything has changed
  for (const std::size_t link : links) {
    for (const Direction one : directions) {
      model.set_faults(link, one, with_words(model.faults(link, one), words));
    }
  }
}

void clear_faults(Model& model, std::string_view at) {
  for (const std::size_t link : links_at(model, at)) {
    model.set_faults(link, Direction::a_to_b, {});
    model.set_faults(link, Direction::b_to_a, {});
  }
}

}  // namespace railgauge::softfabric
