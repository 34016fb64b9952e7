#include "pairs/heat_map.hpp"

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>

namespace railgauge::pairs {
namespace {

using results::Endpoint;

constexpr int kMost = 9;
// Backgrounds of the 256 colours of xterm, from red over yellow to green; the text is black.
constexpr std::array<int, 10> kBackgrounds{196, 202, 208, 214, 220, 226, 190, 154, 118, 46};
constexpr int kUnreachableBackground = 231;  // white

/// Over the columns host names are abbreviated to the numbers that they have in the rows.
class HeatMap {
 public:
  HeatMap(const Map& map, bool colours) : map_(map), colours_(colours), planes_(map.has_planes()) {
    for (const Endpoint& nic : map.nics()) {
      name_width_ = std::max(name_width_, static_cast<int>(nic.host.size()));
      device_width_ = std::max(device_width_, static_cast<int>(nic.device.size()));
    }
  }

  std::string text() {
    head();
    int host = -1;
    for (std::size_t from = 0; from < map_.nics().size(); ++from) {
      if (map_.begins_host(from)) ++host;
      const Endpoint& nic = map_.nics()[from];
      const std::string plane = planes_ ? "." + std::to_string(nic.plane) : "";
      label(std::to_string(host), nic.host, std::to_string(nic.rail) + plane, nic.device);
      row(from);
    }
    return out_.str();
  }

 private:
  void label(const std::string& number, const std::string& host, const std::string& rail,
             const std::string& device) {
    out_ << std::setw(3) << std::right << number << " " << std::left << std::setw(name_width_)
         << host << " " << std::setw(device_width_) << device << " " << std::right << std::setw(4)
         << rail << " ";
  }

  /// The hosts' numbers downwards, then the last digit of each rail, and of each plane.
  void head() {
    for (const int unit : {100, 10, 1}) {
      int host = -1;
      std::string line;
      for (std::size_t to = 0; to < map_.nics().size(); ++to) {
        const bool first = map_.begins_host(to);
        if (first) line += ++host > 0 ? " " : "";
        const bool shown = first && (host >= unit || unit == 1);
        line += shown ? static_cast<char>('0' + host / unit % 10) : ' ';
      }
      if (unit > 1 && line.find_first_not_of(' ') == std::string::npos) continue;
      label("", "", "", "");
      out_ << line << "\n";
    }
    label("", "host", "rail", "");
    digits(&Endpoint::rail);
    if (!planes_) return;
    label("", "", "", "");
    digits(&Endpoint::plane);
  }

  /// The last digit of each column's number.
  void digits(int Endpoint::*number) {
    for (std::size_t to = 0; to < map_.nics().size(); ++to) {
      out_ << (to > 0 && map_.begins_host(to) ? " " : "") << map_.nics()[to].*number % 10;
    }
    out_ << "\n";
  }

  void row(std::size_t from) {
    for (std::size_t to = 0; to < map_.nics().size(); ++to) {
      if (to > 0 && map_.begins_host(to)) out_ << " ";
      cell(from, to);
    }
    out_ << "\n";
  }

  void cell(std::size_t from, std::size_t to) {
    const auto& cell = map_.at(from, to);
    if (!cell) {
      out_ << ".";
    } else if (!cell->works) {
      coloured('X', kUnreachableBackground);
    } else {
      const int share = tenths(*cell);
      coloured(static_cast<char>('0' + share), kBackgrounds[static_cast<std::size_t>(share)]);
    }
  }

  void coloured(char letter, int background) {
    if (colours_) out_ << "\033[30;48;5;" << background << "m";
    out_ << letter;
    if (colours_) out_ << "\033[0m";
  }

  const Map& map_;
  bool colours_;
  bool planes_;         // whether rails have several: then a line has their numbers
  int name_width_ = 4;  // of the word host
  int device_width_ = 0;
  std::ostringstream out_;
};

}  // namespace

int tenths(const Map::Cell& cell) {
  constexpr double kTenths = 10;
  return std::min(kMost, static_cast<int>(kTenths * cell.share));
}

std::string heat_map(const Map& map, bool colours) {
  return HeatMap(map, colours).text();
}

}  // namespace railgauge::pairs
