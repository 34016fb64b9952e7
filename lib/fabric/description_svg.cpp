#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "draw/escape.hpp"
#include "draw/svg.hpp"
#include "fabric/description_table.hpp"

namespace railgauge::fabric::described {
namespace {

// Pixels.
constexpr int kMargin = 20;
constexpr int kTop = 50;
constexpr int kBoxHeight = 26;
constexpr int kGap = 14;
constexpr int kRowHeight = 130;
constexpr int kLineColours = 4;

struct Place {
  int x = 0;  // of the middle
  int y = 0;  // of the upper edge
};

/// Tiers, hosts last: names of what stands in each row.
std::vector<std::vector<std::string>> rows_of(const Fabric& fabric) {
  std::map<int, std::vector<std::string>, std::greater<>> rows;
  for (const Switch& one : fabric.switches) rows[one.tier].push_back(one.name);
  for (const Host& host : fabric.hosts) rows[0].push_back(host.name);
  std::vector<std::vector<std::string>> all;
  all.reserve(rows.size());
  for (auto& [tier, names] : rows) all.push_back(std::move(names));
  return all;
}

class Picture {
 public:
  explicit Picture(const Fabric& fabric) : fabric_(fabric), rows_(rows_of(fabric)) {
    std::size_t most = 0;
    for (const auto& row : rows_) {
      most = std::max(most, row.size());
      for (const std::string& name : row) {
        box_width_ = std::max(box_width_, draw::width_of(name) + kGap);
      }
    }
    width_ = 2 * kMargin + static_cast<int>(most) * (box_width_ + kGap);
    place_rows();
  }

  std::string text() {
    const int height =
        kTop + static_cast<int>(rows_.size() - 1) * kRowHeight + kBoxHeight + kMargin;
    out_ << draw::svg_head("Fabric " + fabric_.name, fabric_.description, width_, height);
    out_ << "<text x='" << kMargin << "' y='28' font-weight='600'>" << draw::escaped(fabric_.name)
         << ": " << fabric_.hosts.size() << " hosts, " << fabric_.switches.size() << " switches, "
         << fabric_.links.size() << " links</text>\n";
    for (std::size_t at = 0; at < fabric_.links.size(); ++at) wire(at);
    for (const auto& [name, place] : places_) box(name, place);
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  void place_rows() {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const auto count = static_cast<int>(rows_[row].size());
      const int slot = (width_ - 2 * kMargin) / std::max(count, 1);
      for (int at = 0; at < count; ++at) {
        places_[rows_[row][static_cast<std::size_t>(at)]] = {
            kMargin + slot * at + slot / 2, kTop + static_cast<int>(row) * kRowHeight};
      }
    }
  }

  void box(const std::string& name, const Place& place) {
    const char* const kind = is_host(fabric_, name) ? "node" : "device";
    out_ << "<rect class='" << kind << "' rx='4' x='" << place.x - box_width_ / 2 << "' y='"
         << place.y << "' width='" << box_width_ << "' height='" << kBoxHeight << "'/><text x='"
         << place.x << "' y='" << place.y + 17 << "' text-anchor='middle'>" << draw::escaped(name)
         << "</text>\n";
  }

  /// The place of a host's port among those that hosts have; links of one rail have one colour.
  int colour_of(const Link& link) {
    const auto leaf = std::ranges::find_if(fabric_.switches, [&](const Switch& one) {
      return one.rail && (one.name == link.a.node || one.name == link.b.node);
    });
    if (leaf != fabric_.switches.end()) return *leaf->rail % kLineColours;
    if (!is_host(fabric_, link.a.node)) return 0;
    const auto found = std::ranges::find(ports_, link.a.port);
    const auto number = static_cast<int>(found - ports_.begin());
    if (found == ports_.end()) ports_.push_back(link.a.port);
    return number % kLineColours;
  }

  void wire(std::size_t at) {
    const Link& link = fabric_.links[at];
    Place from = places_.at(link.a.node);
    Place to = places_.at(link.b.node);
    if (from.y > to.y) std::swap(from, to);
    const int shift = 3 * parallel_[{link.a.node, link.b.node}]++;  // links side by side
    out_ << "<line class='line" << colour_of(link) << "' x1='" << from.x + shift << "' y1='"
         << from.y + kBoxHeight << "' x2='" << to.x + shift << "' y2='" << to.y << "'><title>"
         << draw::escaped(title_of(at)) << "</title></line>\n";
  }

  [[nodiscard]] std::string title_of(std::size_t at) const {
    const Link& link = fabric_.links[at];
    std::ostringstream text;
    text << link.a.node << "." << link.a.port << " - " << link.b.node << "." << link.b.port << ", "
         << link.rate_mbit_per_s << " Mbit/s, " << link.delay_us << " us, MTU " << link.mtu_bytes;
    if (!link.a.address.empty()) text << ", " << link.a.address;
    return text.str();
  }

  const Fabric& fabric_;
  std::vector<std::vector<std::string>> rows_;
  std::map<std::string, Place> places_{};
  std::map<std::pair<std::string, std::string>, int> parallel_{};
  std::vector<std::string> ports_{};
  int box_width_ = 60;
  int width_ = 0;
  std::ostringstream out_{};
};

}  // namespace

std::string description_svg(const Fabric& fabric) {
  return Picture(fabric).text();
}

}  // namespace railgauge::fabric::described
