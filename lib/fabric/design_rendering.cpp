#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "draw/escape.hpp"
#include "draw/svg.hpp"
#include "fabric/design.hpp"
#include "fabric/document.hpp"
#include "json/codec.hpp"

namespace railgauge::fabric {
namespace {

void line(std::string& text, const char* what, const std::string& words) {
  text.append("   ").append(what);
  text.append(8 - std::min<std::size_t>(8, std::string(what).size()), ' ');
  text.append(words).append("\n");
}

void row(std::string& text, const std::string& item, Count count, const std::string& note) {
  if (count > 0) text.append(item + "," + std::to_string(count) + "," + note + "\n");
}

nlohmann::ordered_json parts_json(const Fabric& fabric) {
  const Parts parts = parts_of(fabric);
  return {{"leaves", parts.leaves},
          {"spines", parts.spines},
          {"cores", parts.cores},
          {"pods", parts.blocks},
          {"leaf_down_ports", parts.leaf_down_ports},
          {"leaf_up_ports", parts.leaf_up_ports},
          {"spine_down_ports", parts.spine_down_ports},
          {"uplinks_per_pair", fabric.spines == 0 ? 0 : fabric.bundle},
          {"oversubscription", oversubscription(fabric)},
          {"bisection_gbps", bisection_gbps(fabric)},
          {"most_switches", most_switches(fabric)}};
}

// Pixels.
constexpr int kWidth = 900;
constexpr int kBox = 44;
constexpr int kRow = 90;
constexpr Count kMostDrawn = 16;

struct Drawn {
  std::string name;
  Count count;
};

int place(Count at, Count of) {
  return 150 + static_cast<int>((at * 2 + 1) * (kWidth - 160) / (2 * of));
}

/// One tier: as many boxes as there is room for, and how many there are.
void boxes(std::ostringstream& out, const Drawn& tier, int y) {
  out << "<text x='10' y='" << y + 18 << "'>" << draw::escaped(tier.name) << ": "
      << counted(tier.count) << "</text>\n";
  const Count drawn = std::min(tier.count, kMostDrawn);
  for (Count at = 0; at < drawn; ++at) {
    out << "<rect class='device' rx='4' x='" << place(at, drawn) - kBox / 2 << "' y='" << y
        << "' width='" << kBox << "' height='26'/>\n";
  }
}

void wires(std::ostringstream& out, Count above, Count below, int y) {
  above = std::min(above, kMostDrawn);
  below = std::min(below, kMostDrawn);
  for (Count upper = 0; upper < above; ++upper) {
    for (Count lower = 0; lower < below; ++lower) {
      out << "<line class='wire' x1='" << place(upper, above) << "' y1='" << y + 26 << "' x2='"
          << place(lower, below) << "' y2='" << y + kRow << "'/>\n";
    }
  }
}

}  // namespace

std::string as_text(const Design& design) {
  std::string text;
  for (std::size_t at = 0; at < design.steps.size(); ++at) {
    const Step& step = design.steps[at];
    text.append(std::to_string(at + 1) + ". " + step.title + "\n");
    line(text, "given", step.inputs);
    line(text, "result", step.result);
    line(text, "rule", step.rule);
    line(text, "source", step.source);
  }
  for (const std::string& remark : design.remarks) text.append("note: " + remark + "\n");
  return text;
}

nlohmann::ordered_json as_json(const Design& design) {
  return {{"schema", "railgauge/design/1"},        {"fabric", parameters_of(design.fabric)},
          {"parts", parts_json(design.fabric)},    {"steps", json::encode(design.steps)},
          {"cables", json::encode(design.cables)}, {"remarks", design.remarks}};
}

std::string as_csv(const Design& design) {
  const Parts parts = parts_of(design.fabric);
  const Request& request = design.plan.request;
  std::string text = "item,count,note\n";
  row(text, "NIC " + number(nic_gbps(design.fabric)) + "G", nics_of(design.fabric), "in hosts");
  row(text, "leaf " + request.leaf.text(), parts.leaves, "switch");
  row(text, "spine " + request.spine.text(), parts.spines, "switch");
  row(text, "core " + request.spine.text(), parts.cores, "switch");
  for (const Cables& one : design.cables) {
    const bool optics = one.kind == "optics";
    const std::string speed = number(one.gbps) + "G";
    row(text, optics ? "fibre " + speed : one.kind + " " + speed, one.count,
        one.between + " up to " + number(one.most_metres, 3) + " m");
    if (optics) row(text, "transceiver " + speed, 2 * one.count, one.between);
  }
  return text;
}

std::string as_svg(const Design& design) {
  const Parts parts = parts_of(design.fabric);
  std::vector<Drawn> tiers{{"cores", parts.cores},
                           {"spines", parts.spines},
                           {"leaves", parts.leaves},
                           {"hosts", design.fabric.hosts}};
  std::erase_if(tiers, [](const Drawn& tier) { return tier.count == 0; });
  std::ostringstream out;
  const int height = 50 + kRow * static_cast<int>(tiers.size());
  out << draw::svg_head("Fabric " + design.fabric.generator,
                        "Up to 16 switches of each tier are drawn.", kWidth, height);
  for (std::size_t at = 0; at < tiers.size(); ++at) {
    const int y = 30 + kRow * static_cast<int>(at);
    if (at + 1 < tiers.size()) wires(out, tiers[at].count, tiers[at + 1].count, y);
    boxes(out, tiers[at], y);
  }
  out << "</svg>\n";
  return out.str();
}

}  // namespace railgauge::fabric
