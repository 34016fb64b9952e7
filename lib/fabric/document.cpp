#include "fabric/document.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "fabric/description.hpp"
#include "json/codec.hpp"
#include "json/fields.hpp"

namespace railgauge::fabric {

template <json::Is<Fabric> Self, class Visit>
void fields(Self& fabric, Visit& visit) {
  constexpr double kMost = 1e9;
  visit.strict();
  visit.required("generator", fabric.generator);
  visit.within("hosts", fabric.hosts, 1, kMost);
  visit.within("nics", fabric.nics, 1, kMost);
  visit.within("planes", fabric.planes, 1, kMost);
  visit.positive("port_gbps", fabric.port_gbps);
  visit("by_rail", fabric.by_rail);
  visit("joined_rails", fabric.joined_rails);
  visit.within("hosts_per_leaf", fabric.hosts_per_leaf, 1, kMost);
  visit.within("spines", fabric.spines, 0, kMost);
  visit.within("bundle", fabric.bundle, 1, kMost);
  visit.positive("up_gbps", fabric.up_gbps);
  visit.within("pod_blocks", fabric.pod_blocks, 0, kMost);
  visit.within("cores", fabric.cores, 0, kMost);
  visit.within("core_bundle", fabric.core_bundle, 1, kMost);
  visit.positive("core_gbps", fabric.core_gbps);
  visit.within("core_delay_us", fabric.core_delay_us, 0, kMost);
}

namespace {

using json::Json;

constexpr double kMbitPerGbit = 1000;

Json switch_of(const Fabric& fabric, const Parts& parts, const Node& node) {
  static constexpr int kTiers[] = {0, 1, 2, 3};
  Json made{{"name", name_of(fabric, node)}, {"tier", kTiers[static_cast<int>(node.tier)]}};
  if (node.tier != Tier::leaf) return made;
  const Count group = node.number / parts.blocks;
  if (fabric.by_rail) made["rail"] = group % parts.groups;
  if (fabric.planes > 1) made["plane"] = group / parts.groups;
  made["pod"] = node.number % parts.blocks;
  return made;
}

Json switches_of(const Fabric& fabric) {
  const Parts parts = parts_of(fabric);
  Json all = Json::array();
  const auto add = [&](Tier tier, Count count) {
    for (Count at = 0; at < count; ++at) all.push_back(switch_of(fabric, parts, {tier, at}));
  };
  add(Tier::leaf, parts.leaves);
  add(Tier::spine, parts.spines);
  add(Tier::core, parts.cores);
  return all;
}

std::string port_of(const Fabric& fabric, const Link& link) {
  if (fabric.planes == 1) return "rail" + std::to_string(link.port);
  return std::string("rail")
      .append(std::to_string(link.port / fabric.planes))
      .append("-")
      .append(std::to_string(link.port % fabric.planes));
}

Json links_of(const Fabric& fabric) {
  std::map<std::string, Count> ports;  // of every switch so far
  const auto next_port = [&](const std::string& node) {
    return "p" + std::to_string(ports[node]++);
  };
  Json all = Json::array();
  for_each_link(fabric, [&](const Link& link) {
    const std::string lower = name_of(fabric, link.lower);
    const std::string upper = name_of(fabric, link.upper);
    const bool host = link.lower.tier == Tier::host;
    all.push_back({{"a", lower},
                   {"a_port", host ? port_of(fabric, link) : next_port(lower)},
                   {"b", upper},
                   {"b_port", next_port(upper)},
                   {"rate_mbit_per_s", link.gbps * kMbitPerGbit}});
  });
  return all;
}

/// What a list of links says about one switch, or about one host.
struct Seen {
  std::set<std::string> above{};
  std::set<std::string> hosts{};
  Count up_links = 0;
  Count down_links = 0;
  double up_gbps = 0;
  double down_gbps = 0;
};

class Reader {
 public:
  explicit Reader(const described::Fabric& list) : list_(list) {
    for (const described::Host& host : list.hosts) hosts_.insert(host.name);
    for (const described::Switch& one : list.switches) read_switch(one);
    for (const described::Link& link : list.links) read_link(link);
  }

  Fabric regular() {
    if (leaves_.empty() || hosts_.empty()) refuse("it has no hosts or no leaves");
    const Seen& first = leaves_.begin()->second;
    Fabric fabric;
    fabric.hosts_per_leaf = 1;
    fabric.generator = list_.name;
    fabric.hosts = hosts_.size();
    fabric.nics = ports_.begin()->second;
    fabric.port_gbps = first.down_gbps;
    fabric.up_gbps = first.above.empty() ? first.down_gbps : first.up_gbps;
    fabric.spines = first.above.size();
    fabric.bundle = fabric.spines == 0 ? 1 : first.up_links / fabric.spines;
    fabric.by_rail = fabric.nics > 1 && first.down_links == first.hosts.size();
    for (const auto& [name, leaf] : leaves_) check_leaf(name, leaf, first, fabric);
    fabric.joined_rails = spines_.size() == fabric.spines;
    check_numbers(fabric);
    return fabric;
  }

 private:
  [[noreturn]] static void refuse(const std::string& why) {
    throw std::runtime_error("this railgauge/fabric/1 is not a regular fabric of two tiers: " +
                             why);
  }

  void read_switch(const described::Switch& one) {
    if (one.tier > 2) refuse(one.name + " is of tier " + std::to_string(one.tier));
    if (one.tier == 1) leaves_[one.name];
    if (one.tier == 2) spines_.insert(one.name);
  }

  void read_link(const described::Link& link) {
    std::string lower = link.a.node;
    std::string upper = link.b.node;
    if (hosts_.contains(upper) || spines_.contains(lower)) std::swap(lower, upper);
    const double gbps = link.rate_mbit_per_s / kMbitPerGbit;
    if (hosts_.contains(lower)) {
      const auto leaf = leaves_.find(upper);
      if (leaf == leaves_.end()) refuse(lower + " is not joined to a leaf");
      add_host(leaf->second, lower, gbps);
    } else if (const auto leaf = leaves_.find(lower); leaf != leaves_.end()) {
      add_spine(lower, leaf->second, upper, gbps);
    }
  }

  void add_host(Seen& leaf, const std::string& host, double gbps) {
    if (leaf.down_links > 0 && leaf.down_gbps != gbps) refuse(host + " has a link of another rate");
    leaf.down_gbps = gbps;
    ++leaf.down_links;
    ++ports_[host];
    leaf.hosts.insert(host);
  }

  static void add_spine(const std::string& name, Seen& leaf, const std::string& spine,
                        double gbps) {
    if (leaf.up_links > 0 && leaf.up_gbps != gbps) refuse(name + " has uplinks of several rates");
    leaf.up_gbps = gbps;
    ++leaf.up_links;
    leaf.above.insert(spine);
  }

  static void check_leaf(const std::string& name, const Seen& leaf, const Seen& first,
                         Fabric& fabric) {
    const bool same = leaf.above.size() == first.above.size() && leaf.up_links == first.up_links &&
                      leaf.up_gbps == first.up_gbps && leaf.down_gbps == first.down_gbps;
    if (!same) refuse(name + " differs from the first leaf in its links");
    fabric.hosts_per_leaf = std::max<Count>(fabric.hosts_per_leaf, leaf.hosts.size());
  }

  void check_numbers(const Fabric& fabric) const {
    for (const auto& [host, ports] : ports_) {
      if (ports != fabric.nics) refuse(host + " has another number of ports than the first host");
    }
    const Parts parts = parts_of(fabric);
    if (parts.leaves != leaves_.size() || parts.spines != spines_.size()) {
      refuse("it has " + std::to_string(leaves_.size()) + " leaves and " +
             std::to_string(spines_.size()) + " spines, and its links need " +
             std::to_string(parts.leaves) + " and " + std::to_string(parts.spines));
    }
  }

  const described::Fabric& list_;
  std::set<std::string> hosts_{};
  std::map<std::string, Count> ports_{};  // of every host
  std::map<std::string, Seen> leaves_{};
  std::set<std::string> spines_{};
};

}  // namespace

Json parameters_of(const Fabric& fabric) {
  return json::encode(fabric);
}

Json listed(const Fabric& fabric) {
  if (fabric.hosts > kMostListedHosts) {
    throw std::invalid_argument("railgauge/fabric/1 lists every link, and takes at most " +
                                std::to_string(kMostListedHosts) +
                                " hosts: use --format json, which has the parameters");
  }
  if (joins_pods_directly(fabric)) {
    throw std::invalid_argument(
        "railgauge/fabric/1 has no links between spines: use --format json, which has the "
        "parameters");
  }
  Json hosts = Json::array();
  for (Count host = 0; host < fabric.hosts; ++host) {
    hosts.push_back(
        {{"name", name_of(fabric, {Tier::host, host})}, {"pod", host / fabric.hosts_per_leaf}});
  }
  return {{"schema", "railgauge/fabric/1"},
          {"name", fabric.generator},
          {"hosts", hosts},
          {"switches", switches_of(fabric)},
          {"links", links_of(fabric)}};
}

Fabric fabric_of(const Json& document) {
  if (!document.is_object()) throw std::runtime_error("the document is not an object");
  json::expect_schema(document, {"railgauge/design/1", "railgauge/fabric/1"});
  if (json::schema_of(document) == "railgauge/fabric/1") {
    const described::Fabric list = described::fabric_of(document);
    return Reader(list).regular();
  }
  return json::wanted<Fabric>(document, "fabric");
}

}  // namespace railgauge::fabric
