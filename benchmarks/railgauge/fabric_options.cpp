#include "benchmarks/railgauge/fabric_options.hpp"

#include <charconv>
#include <stdexcept>

#include "options/shared.hpp"

namespace railgauge::benchmarks {
namespace {

using fabric::Count;
using options::Syntax;

constexpr std::int64_t kMostOfAnything = 4'000'000;

/// The number that a word begins with, which is taken off; 0 if there is none above 0.
double take_number(std::string_view& word) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(word.data(), word.data() + word.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || !(value > 0 && value <= 1e6)) return 0;
  word.remove_prefix(static_cast<std::size_t>(end - word.data()));
  return value;
}

double parse_gigabits(const std::string& word) {
  std::string_view rest = word;
  const double value = take_number(rest);
  const bool unit = rest.empty() || rest == "G" || rest == "g" || rest == "Gbit" || rest == "Gb/s";
  if (value > 0 && unit) return value;
  throw std::invalid_argument("expected a rate in Gb/s, such as 400 or 400G");
}

fabric::SwitchModel parse_model(const std::string& word) {
  const std::size_t at = word.find('x');
  if (at == std::string::npos) {
    throw std::invalid_argument("expected ports x rate, such as 128x400G");
  }
  return {options::parse_whole<Count>(std::string_view(word).substr(0, at), 1, kMostOfAnything),
          parse_gigabits(word.substr(at + 1))};
}

Syntax<fabric::SwitchModel> model() {
  return {"PORTSxRATE", parse_model, [](const fabric::SwitchModel& one) { return one.text(); }};
}

/// "spine=2".
Count parse_failure(const std::string& word) {
  constexpr std::string_view kSpine = "spine=";
  if (word.starts_with(kSpine)) {
    return options::parse_whole<Count>(std::string_view(word).substr(kSpine.size()), 0,
                                       kMostFailures);
  }
  throw std::invalid_argument("expected spine=N, the number of dead spines");
}

template <class T>
Syntax<T> chosen(Syntax<T> syntax) {
  return options::chosen_by_run(std::move(syntax));
}

}  // namespace

Syntax<double> gigabits() {
  return {"RATE", parse_gigabits, [](const double& gbps) { return fabric::number(gbps) + "G"; }};
}

Syntax<double> ratio() {
  const auto parse = [](const std::string& word) {
    std::string_view rest = word;
    const double value = take_number(rest);
    if (value > 0 && (rest.empty() || rest == ":1")) return value;
    throw std::invalid_argument("expected a ratio above 0, such as 1.5 or 1.5:1");
  };
  return {"RATIO", parse, [](const double& value) { return fabric::number(value) + ":1"; }};
}

Syntax<Count> count(std::int64_t least) {
  return options::whole<Count>(least, kMostOfAnything);
}

Syntax<std::string> word_of(const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::string>> choices;
  choices.reserve(words.size());
  for (const std::string& word : words) choices.emplace_back(word, word);
  return options::choice<std::string>(std::move(choices));
}

options::Declaration<predict::Balance> balance() {
  using predict::Balance;
  return {"--balance",
          options::choice<Balance>({{"ecmp", Balance::ecmp},
                                    {"ecmp+qp", Balance::ecmp_queue_pair},
                                    {"wcmp", Balance::wcmp},
                                    {"flowlet", Balance::flowlet},
                                    {"spray", Balance::spray},
                                    {"adaptive", Balance::adaptive},
                                    {"pinned", Balance::pinned}}),
          "How switches choose among equal paths: by hash (ecmp, ecmp+qp, wcmp, flowlet), every "
          "packet, the emptiest uplink, or by destination"};
}

options::Declaration<Count> dead_spines() {
  const Syntax<Count> failure{"spine=N", parse_failure,
                              [](const Count& dead) { return "spine=" + std::to_string(dead); }};
  return {"--fail", failure, "Number of dead spines"};
}

void add_fabric(options::OptionTable& table, fabric::Request& request, int& nics) {
  table.group("Fabric");
  table.scalar("--generator", request.generator, word_of(fabric::generators()), "Kind of fabric");
  table.scalar("--hosts", request.hosts, count(), "Number of hosts");
  table.scalar(options::nics_per_host(), nics);
  table.scalar("--nic-rate", request.nic_gbps, gigabits(), "Rate of a NIC, all its planes");
  table.scalar("--planes", request.planes, count(), "Ports of a NIC, each to a plane of its own");
  table.scalar("--leaf", request.leaf, model(), "Leaf switch");
  table.scalar("--spine", request.spine, model(), "Spine and core switch");
  table.scalar("--uplink-rate", request.uplink_gbps, chosen(gigabits()),
               "Rate of links between switches (default: that of a NIC's port)");
  table.scalar("--oversubscription", request.oversubscription, ratio(),
               "Bandwidth of a leaf's hosts over that of its uplinks");
  table.scalar("--spines", request.spines, chosen(count()),
               "Spines that a leaf reaches (default: as few as fit)");
  table.scalar("--hosts-per-leaf", request.hosts_per_leaf, chosen(count()),
               "Most hosts on a leaf (default: as many as fit)");
  table.scalar(
      "--wan", request.wan, chosen(model()),
      "Links between the sites of multi-site, and their rate (default: one of each spine)");
  table.scalar("--wan-delay", request.wan_delay_us, chosen(options::positive_number()),
               "Delay of these links in one direction, in us (default: 0)");
  table.scalar("--k", request.k, chosen(count(0)), "Ports of a fat-tree's switches");
}

}  // namespace railgauge::benchmarks
