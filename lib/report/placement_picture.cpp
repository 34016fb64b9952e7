#include "report/placement_picture.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "report/html.hpp"
#include "results/fields.hpp"

namespace railgauge::report {
namespace {

using verdict::maybe;
using verdict::text_or_none;

using Names = std::vector<std::string>;  // without repetitions, in the order of the document

struct Node {
  Names ranks{};
  Names nics{};
};

using Host = std::map<int, Node>;  // by NUMA node; -1: not known

void add(Names& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

int node_of(const Json& object) {
  return maybe<int>(object, "numa_node").value_or(-1);
}

void add(Host& host, const Json& rank) {
  add(host[node_of(rank)].ranks, "rank " + std::to_string(verdict::wanted<int>(rank, "rank")));
  for (const Json& rail : verdict::list(rank, "rails")) {
    add(host[node_of(rail)].nics, "rail " + std::to_string(verdict::wanted<int>(rail, "rail")) +
                                      ": " + text_or_none(rail, "device"));
  }
}

std::string box(const std::string& style_class, const std::string& inner) {
  return "<div class=\"" + style_class + "\">" + inner + "</div>";
}

std::string boxes(const std::string& style_class, const Names& names) {
  std::string html;
  for (const std::string& name : names) html += box(style_class, escaped(name));
  return html;
}

std::string drawn(const Host& host) {
  std::string html;
  for (const auto& [number, node] : host) {
    const std::string name =
        number < 0 ? "NUMA node not known" : "NUMA node " + std::to_string(number);
    html +=
        box("node", element("small", name) + boxes("rank", node.ranks) + boxes("nic", node.nics));
  }
  return html;
}

}  // namespace

std::string placement_picture(const Json& document) {
  std::map<std::string, Host> hosts;
  for (const Json& rank : verdict::list(document, "ranks")) {
    add(hosts[verdict::wanted<std::string>(rank, "host")], rank);
  }
  std::string html;
  for (const auto& [name, host] : hosts) {
    html += box("host", element("strong", escaped(name)) + drawn(host));
  }
  return html.empty() ? "" : box("picture", html) + "\n";
}

}  // namespace railgauge::report
