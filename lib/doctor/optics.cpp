#include "doctor/optics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "finding/words.hpp"

namespace railgauge::doctor {
namespace {

constexpr std::size_t kHalf = 128;  // where upper pages begin

unsigned byte_at(const std::string& bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
}

unsigned word_at(const std::string& bytes, std::size_t at) {
  return byte_at(bytes, at) << 8U | byte_at(bytes, at + 1);
}

double degrees(unsigned word) {
  return static_cast<std::int16_t>(word) / 256.0;
}

/// Of tenths of a microwatt; a lane without light has the least that is shown.
double decibel_milliwatts(unsigned word) {
  constexpr double kPerMilliwatt = 1e4;
  constexpr double kDark = -40;
  return word == 0 ? kDark : 10 * std::log10(word / kPerMilliwatt);
}

/// Where a standard has what: places in the lower half, or counted from 0 in an upper page.
struct Layout {
  std::vector<unsigned> kinds;  // identifiers of SFF-8024
  unsigned flat_bit;            // of byte 2: there are no upper pages
  std::size_t temperature;      // in the lower half
  int limits_page;
  std::size_t temperature_limits;  // high, then low; alarms
  std::size_t tx_limits;
  std::size_t rx_limits;
  int lanes_page;  // -1: the lower half
  std::size_t tx_power;
  std::size_t rx_power;
  std::size_t lanes;
  std::size_t states;  // of lanes, four bits each, in their page; 0: all are in use
};

/// SFF-8636 rev. 2.11, tables 6-2 and 6-26; OIF-CMIS-05.3, 8.2, 8.5 and 8.10.
const std::vector<Layout>& layouts() {
  static const std::vector<Layout> kAll{
      {{0x0c, 0x0d, 0x11}, 0x04, 22, 3, 0, 64, 48, -1, 50, 34, 4, 0},
      {{0x18, 0x19, 0x1e, 0x1f, 0x20}, 0x80, 14, 2, 0, 48, 64, 0x11, 26, 58, 8, kHalf}};
  return kAll;
}

const Layout* layout_of(const std::string& lower) {
  for (const Layout& one : layouts()) {
    const bool is_it = std::ranges::count(one.kinds, byte_at(lower, 0)) > 0;
    if (is_it) return (byte_at(lower, 2) & one.flat_bit) == 0 ? &one : nullptr;
  }
  return nullptr;
}

/// Whether data flow over it: state 4, "activated".
bool is_used(const Layout& layout, const std::string& page, std::size_t lane) {
  constexpr unsigned kActivated = 4;
  if (layout.states == 0) return true;
  const unsigned both = byte_at(page, layout.states - kHalf + lane / 2);
  return (lane % 2 == 0 ? both & 0xfU : both >> 4U) == kActivated;
}

std::string within(const std::string& values, double low, double high) {
  return values + " within " + finding::number(low) + " " + finding::number(high);
}

/// Empty: it has no limits, and so measures nothing.
std::string power_text(const Layout& layout, const std::string& page, std::size_t at,
                       const std::string& limits, std::size_t limits_at) {
  const unsigned high = word_at(limits, limits_at);
  if (high == 0) return "";
  std::vector<std::string> values;
  for (std::size_t lane = 0; lane < layout.lanes; ++lane) {
    if (is_used(layout, page, lane))
      values.push_back(finding::number(decibel_milliwatts(word_at(page, at + 2 * lane))));
  }
  if (values.empty()) return "";
  return within(finding::joined(values, " "), decibel_milliwatts(word_at(limits, limits_at + 2)),
                decibel_milliwatts(high));
}

}  // namespace

std::vector<int> pages_wanted(const std::string& lower) {
  const Layout* const layout = layout_of(lower);
  if (layout == nullptr) return {};
  std::vector<int> pages{layout->limits_page};
  if (layout->lanes_page >= 0) pages.push_back(layout->lanes_page);
  return pages;
}

std::map<std::string, std::string> optics_of(const ModuleMemory& memory) {
  std::map<std::string, std::string> found;
  const Layout* const layout = layout_of(memory.lower);
  if (layout == nullptr) return found;
  const auto limits = memory.upper.find(layout->limits_page);
  const auto lanes = memory.upper.find(layout->lanes_page);
  if (limits == memory.upper.end()) return found;
  const double high = degrees(word_at(limits->second, layout->temperature_limits));
  const double low = degrees(word_at(limits->second, layout->temperature_limits + 2));
  if (high > low) {
    const double own = degrees(word_at(memory.lower, layout->temperature));
    found["temperature"] = within(finding::number(own), low, high);
  }
  if (layout->lanes_page >= 0 && lanes == memory.upper.end()) return found;
  const std::string& page = layout->lanes_page < 0 ? memory.lower : lanes->second;
  for (const auto& [name, at, limits_at] :
       {std::tuple{"rx-power", layout->rx_power, layout->rx_limits},
        {"tx-power", layout->tx_power, layout->tx_limits}}) {
    const std::string text = power_text(*layout, page, at, limits->second, limits_at);
    if (!text.empty()) found[name] = text;
  }
  return found;
}

}  // namespace railgauge::doctor
