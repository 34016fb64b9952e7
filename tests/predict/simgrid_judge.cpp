// SimGrid (CM02, no latency, no cross traffic) shares the links of random fabrics among flows;
// fair_rates() does, too. Each flow carries what fair_rates() says it can in a given time, so for
// SimGrid all of them have to end then: the first that is slower or faster changes when it ends
// itself, and others.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "fabric/sizing.hpp"
#include "predict/fair_rates.hpp"
#include "predict/network.hpp"

namespace railgauge::predict {
namespace {

namespace s4u = simgrid::s4u;

constexpr int kFabrics = 100;
constexpr double kSeconds = 1e6;         // that flows take
constexpr double kPerMicrosecond = 1e6;  // in a second
constexpr double kTolerance = 1e-9;
constexpr double kHostSpeed = 1e9;  // of no effect

struct Sharing {
  Flows flows;
  std::vector<double> capacities;  // bytes/us
};

/// 8 to 512 NICs, oversubscribed or not, under any balance; random pairs.
Sharing random_sharing(std::mt19937_64& random) {
  const auto draw = [&](std::uint32_t least, std::uint32_t most) {
    return std::uniform_int_distribution<std::uint32_t>(least, most)(random);
  };
  const std::uint32_t nics = draw(1, 4);
  const std::uint32_t hosts = 8 * draw(1, 16);
  const auto fabric = fabric::sized({.hosts = hosts,
                                     .nics = nics,
                                     .oversubscription = static_cast<double>(draw(1, 4)),
                                     .hosts_per_leaf = 8})
                          .fabric;
  Network network(fabric, 4, {.balance = static_cast<Balance>(draw(0, 3)), .seed = draw(1, 1000)});
  Sharing sharing;
  for (std::uint32_t flow = 0; flow < hosts; ++flow) {
    const Endpoint from{draw(0, hosts - 1), draw(0, nics - 1), 0};
    const Endpoint to{draw(0, hosts - 1), draw(0, nics - 1), 0};
    if (from.host == to.host) continue;
    network.path(from, to, draw(0, 3), sharing.flows.links);
    sharing.flows.end_flow();
  }
  sharing.capacities = network.bytes_per_us();
  return sharing;
}

/// Two hosts of each flow, with a route over its links.
std::vector<s4u::CommPtr> transfers(const Sharing& sharing, s4u::NetZone& root, int number) {
  const std::string prefix = std::to_string(number) + ".";
  s4u::NetZone* const zone = s4u::create_full_zone(prefix)->set_parent(&root);
  std::vector<const s4u::Link*> links;
  for (const double capacity : sharing.capacities) {
    const std::string name = prefix + "link" + std::to_string(links.size());
    links.push_back(zone->create_link(name, capacity * kPerMicrosecond)->set_latency(0)->seal());
  }
  const auto rates = fair_rates(sharing.flows, sharing.capacities);
  std::vector<s4u::CommPtr> found;
  for (std::size_t flow = 0; flow < sharing.flows.size(); ++flow) {
    const std::string name = prefix + "flow" + std::to_string(flow);
    s4u::Host* const from = zone->create_host(name + ".from", kHostSpeed)->seal();
    s4u::Host* const to = zone->create_host(name + ".to", kHostSpeed)->seal();
    std::vector<s4u::LinkInRoute> route;
    for (std::uint32_t at = sharing.flows.first[flow]; at < sharing.flows.first[flow + 1]; ++at)
      route.emplace_back(links[sharing.flows.links[at]]);
    zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, route, false);
    const double bytes = rates[flow] * kPerMicrosecond * kSeconds;
    found.push_back(s4u::Comm::sendto_init(from, to)->set_payload_size(
        static_cast<std::uint64_t>(std::llround(bytes))));
  }
  zone->seal();
  return found;
}

int judge(s4u::Engine& engine) {
  std::mt19937_64 random(13);
  s4u::NetZone* const root = s4u::create_full_zone("root");
  std::vector<s4u::CommPtr> flows;
  for (int number = 0; number < kFabrics; ++number) {
    const auto more = transfers(random_sharing(random), *root, number);
    flows.insert(flows.end(), more.begin(), more.end());
  }
  s4u::Host* const observer = root->create_host("observer", kHostSpeed)->seal();
  root->seal();
  s4u::Actor::create("observer", observer, [&flows] {
    for (const s4u::CommPtr& flow : flows) flow->start();
    for (const s4u::CommPtr& flow : flows) flow->wait();
  });
  engine.run();
  double worst = 0;
  for (const s4u::CommPtr& flow : flows)
    worst = std::max(worst, std::abs(flow->get_finish_time() - kSeconds) / kSeconds);
  std::printf("%d fabrics, %zu flows: rates differ from SimGrid's by %.1e at most, allowed %.0e\n",
              kFabrics, flows.size(), worst, kTolerance);
  return worst <= kTolerance ? 0 : 1;
}

}  // namespace
}  // namespace railgauge::predict

int main(int argc, char** argv) {
  simgrid::s4u::Engine engine(&argc, argv);
  engine.set_config("network/model:CM02");
  engine.set_config("network/crosstraffic:0");
  engine.set_config("network/TCP-gamma:0");
  engine.set_config("maxmin/precision:1e-13");
  engine.set_config("surf/precision:1e-9");
  return railgauge::predict::judge(engine);
}
