// fabric_description: makes, checks and shows descriptions of fabrics. launchers/fabric calls it
// with the options that are about the fabric; see its --help.

#include <charconv>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "fabric/addresses.hpp"
#include "fabric/description_table.hpp"
#include "fabric/presets.hpp"
#include "json/text.hpp"
#include "softfabric/control.hpp"
#include "softfabric/description.hpp"
#include "softfabric/model.hpp"

namespace railgauge::softfabric {
namespace {

using fabric::described::preset;
using fabric::described::Shape;

constexpr int kUsageError = 2;

struct Wishes {
  std::string preset = "rail-optimised";
  std::string topology{};
  std::string print = "json";
  Shape shape{};
  std::optional<std::string> addressing{};
  std::optional<Balance> balance{};
  std::optional<std::uint64_t> seed{};
  std::vector<std::string> requests{};     // that softswitch has to understand
  std::vector<std::string> only_preset{};  // options that were given and mean nothing to a file
};

template <class Number>
Number number_of(const std::string& text, Number least, Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= least) ||
      !(value <= most)) {
    std::ostringstream takes;
    takes << "'" << text << "' is not a number from " << least << " to " << most;
    throw std::runtime_error(takes.str());
  }
  return value;
}

/// 200 of "200Mbit" or "200", 1000 of "1Gbit".
double mbit_of(std::string text) {
  double factor = 1;
  if (text.ends_with("Mbit") || text.ends_with("Gbit")) {
    if (text[text.size() - 4] == 'G') factor = 1000;
    text.resize(text.size() - 4);
  }
  constexpr double kMost = 1e6;
  return factor * number_of<double>(text, 1 / factor, kMost / factor);
}

/// 5 of "5us" or "5", 1000 of "1ms".
double us_of(std::string text) {
  double factor = 1;
  if (text.ends_with("us") || text.ends_with("ms")) {
    if (text[text.size() - 2] == 'm') factor = 1000;
    text.resize(text.size() - 2);
  }
  constexpr double kMost = 1e6;
  return factor * number_of<double>(text, 0, kMost);
}

using Setter = std::function<void(Wishes&, const std::string&)>;

const std::map<std::string, Setter>& setters() {
  constexpr int kMany = 1 << 20;
  static const std::map<std::string, Setter> all{
      {"--preset", [](Wishes& to, const std::string& text) { to.preset = text; }},
      {"--topology", [](Wishes& to, const std::string& text) { to.topology = text; }},
      {"--print", [](Wishes& to, const std::string& text) { to.print = text; }},
      {"--hosts",
       [](Wishes& to, const std::string& text) { to.shape.hosts = number_of(text, 1, kMany); }},
      {"--rails",
       [](Wishes& to, const std::string& text) { to.shape.rails = number_of(text, 1, kMany); }},
      {"--spines",
       [](Wishes& to, const std::string& text) { to.shape.spines = number_of(text, 1, kMany); }},
      {"--leaves",
       [](Wishes& to, const std::string& text) { to.shape.leaves = number_of(text, 1, kMany); }},
      {"--rate",
       [](Wishes& to, const std::string& text) { to.shape.rate_mbit_per_s = mbit_of(text); }},
      {"--delay", [](Wishes& to, const std::string& text) { to.shape.delay_us = us_of(text); }},
      {"--mtu", [](Wishes& to,
                   const std::string& text) { to.shape.mtu_bytes = number_of(text, 576, 65535); }},
      {"--addressing", [](Wishes& to, const std::string& text) { to.addressing = text; }},
      {"--balance",
       [](Wishes& to, const std::string& text) {
         to.balance = fabric::described::balance_of(text);
       }},
      {"--request", [](Wishes& to, const std::string& text) { to.requests.push_back(text); }},
      {"--seed",
       [](Wishes& to, const std::string& text) {
         to.seed = number_of<std::uint64_t>(text, 0, UINT64_MAX);
       }},
  };
  return all;
}

bool is_of_preset(const std::string& option) {
  return option == "--preset" || option == "--hosts" || option == "--rails" ||
         option == "--spines" || option == "--leaves" || option == "--rate" ||
         option == "--delay" || option == "--mtu";
}

Wishes parse(const std::vector<std::string>& words) {
  Wishes wishes;
  for (std::size_t at = 0; at < words.size(); at += 2) {
    const auto setter = setters().find(words[at]);
    if (setter == setters().end()) throw std::runtime_error("there is no option " + words[at]);
    if (at + 1 == words.size()) throw std::runtime_error(words[at] + " needs a value");
    try {
      setter->second(wishes, words[at + 1]);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(words[at] + ": " + error.what());
    }
    if (is_of_preset(words[at])) wishes.only_preset.push_back(words[at]);
  }
  return wishes;
}

Fabric base_of(const Wishes& wishes) {
  if (wishes.topology.empty()) return preset(wishes.preset, wishes.shape);
  if (!wishes.only_preset.empty()) {
    throw std::runtime_error(wishes.only_preset[0] + ": --topology FILE says that already");
  }
  return read_fabric(wishes.topology);
}

/// Addresses that a preset has filled in are of its own addressing.
void readdress(Fabric& fabric, const std::string& addressing) {
  for (Link& link : fabric.links) {
    link.a.address.clear();
    link.b.address.clear();
  }
  fabric.addressing = addressing;
}

Fabric fabric_for(const Wishes& wishes) {
  Fabric fabric = base_of(wishes);
  if (wishes.addressing) readdress(fabric, *wishes.addressing);
  if (wishes.balance) {
    fabric.switching.balance = *wishes.balance;
    for (Switch& one : fabric.switches) one.balance.reset();
  }
  fabric.seed = wishes.seed.value_or(fabric.seed);
  check(fabric);
  check_buildable(fabric);
  fill_in(fabric);
  return fabric;
}

class NoHosts final : public HostSide {
  void packet(std::size_t, std::span<const std::byte>) override {}
  void pause(std::size_t, std::span<const std::byte>) override {}
};

/// Refuses a request that softswitch would refuse later.
void try_out(const Fabric& fabric, const std::vector<std::string>& requests) {
  if (requests.empty()) return;
  NoHosts hosts;
  Model model(fabric, hosts);
  for (const std::string& request : requests) {
    const auto said = json::json_of_text(answer(model, request));
    if (said.contains("error")) throw std::runtime_error(said["error"].get<std::string>());
  }
}

std::string shown(const Fabric& fabric, const std::string& form) {
  if (form == "json") return document_of(fabric).dump(2) + "\n";
  if (form == "table") return description_table(fabric);
  if (form == "svg") return description_svg(fabric);
  throw std::runtime_error("--print: '" + form + "' is none of table, svg, json");
}

int run(const std::vector<std::string>& words) {
  try {
    const Wishes wishes = parse(words);
    const Fabric fabric = fabric_for(wishes);
    try_out(fabric, wishes.requests);
    std::cout << shown(fabric, wishes.print);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "fabric: " << error.what() << "\n";
    return kUsageError;
  }
}

}  // namespace
}  // namespace railgauge::softfabric

int main(int count, char** words) {
  return railgauge::softfabric::run({words + 1, words + count});
}
