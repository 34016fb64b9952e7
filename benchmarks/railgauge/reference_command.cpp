#include "benchmarks/railgauge/reference_command.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"
#include "verdict/run_set.hpp"

namespace railgauge::benchmarks {
namespace {

using verdict::Reference;

std::string or_unknown(const std::string& text) {
  return text.empty() ? "?" : text;
}

template <class T>
std::string or_unknown(const std::optional<T>& value) {
  if (!value) return "?";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", static_cast<double>(*value));
  return text.data();
}

std::string columns(const Reference& reference) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), "%-34s  %4s  %4s  %-10s  ", reference.name.c_str(),
                or_unknown(reference.nics_per_node).c_str(),
                or_unknown(reference.line_rate_gigabits_per_second).c_str(),
                or_unknown(reference.transport).c_str());
  return text.data();
}

constexpr const char* kHead = "name                                NICs  Gb/s  transport   ";

/// "91 %"
std::string percent(const std::optional<double>& fraction) {
  if (!fraction) return "?";
  constexpr double kPercent = 100;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0f %%", kPercent * *fraction);
  return text.data();
}

/// What its highest bandwidth is, of all its curves.
std::string plateau_of(const verdict::Run& run) {
  double best = 0;
  for (const verdict::Curve& curve : verdict::curves_of(run)) {
    const auto plateau = verdict::plateau_of(curve);
    if (plateau) best = std::max(best, plateau->busbw_gigabytes_per_second);
  }
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "%9.2f GB/s  %7s", best,
                percent(verdict::line_rate_fraction(run, best)).c_str());
  return text.data();
}

std::string line(const verdict::Run& run) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), "  %-14s  %5s hosts  %5s ranks  %s  ",
                or_unknown(run.collective).c_str(), or_unknown(run.nodes).c_str(),
                or_unknown(run.ranks).c_str(), plateau_of(run).c_str());
  const std::string why = verdict::why_no_nic_target(run);
  return text.data() + run.name + (why.empty() ? "" : ": no target: " + why) + "\n";
}

std::string line(const verdict::PublishedPlateau& plateau) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), "    %-14s  %5s hosts  plateau %8.2f GB/s  %7s\n",
                plateau.collective.c_str(), or_unknown(plateau.nodes).c_str(),
                plateau.busbw_gigabytes_per_second, percent(plateau.line_rate_fraction).c_str());
  return text.data();
}

}  // namespace

ReferenceCommand::ReferenceCommand(CLI::App& app) {
  command_ = app.add_subcommand("reference", "Figures that others published");
  command_->require_subcommand(1);
  list_ = command_->add_subcommand("list", "All systems");
  show_ = command_->add_subcommand("show", "One system: its runs, source and caveats");
  show_->add_option("name", name_, "Its name, or a file of `import`")->required();
  suggest_ = command_->add_subcommand("suggest", "Systems with NICs like one's own");
  suggest_->add_option("result", result_, "Result document whose NICs are asked about");
  suggest_->add_option("--nics", nics_, "NICs of a host")->check(CLI::PositiveNumber);
  suggest_->add_option("--gbits", gigabits_, "Line rate of one NIC, Gb/s")
      ->check(CLI::PositiveNumber);
  suggest_->add_option("--transport", transport_,
                       "RoCE, InfiniBand, ... (default of a result: RoCE)");
  suggest_->add_option("--collective", collective_,
                       "Only those that have it (default: that of the result)");
  suggest_->add_flag("--all", all_, "Also those that are hardly alike: twice or half the speed");
}

void ReferenceCommand::run(std::ostream& out) const {
  const verdict::Library library(verdict::shipped_data());
  if (list_->parsed()) out << listed(library);
  if (show_->parsed()) out << shown(library);
  if (suggest_->parsed()) out << suggestions(library);
}

std::string ReferenceCommand::listed(const verdict::Library& library) const {
  std::string text = std::string(kHead) + "system\n";
  for (const std::string& name : library.references()) {
    const Reference reference = library.reference(name);
    text += columns(reference) + reference.system + "\n";
  }
  return text;
}

std::string ReferenceCommand::shown(const verdict::Library& library) const {
  const Reference reference = library.reference(name_);
  std::string text = reference.name + ": " + or_unknown(reference.system) + "\n" +
                     or_unknown(reference.nics_per_node) + " NICs of " +
                     or_unknown(reference.line_rate_gigabits_per_second) + " Gb/s a host (" +
                     or_unknown(reference.nic) + "), " + or_unknown(reference.transport) + ", " +
                     or_unknown(reference.accelerator) + "\n" +
                     "source: " + or_unknown(reference.source.title) + ", " +
                     or_unknown(reference.source.date) + "\n        " +
                     or_unknown(reference.source.url) + "\n";
  for (const std::string& caveat : reference.caveats) text += "- " + caveat + "\n";
  text += "plateau of bus bandwidth, and its share of the line rate of a host's NICs:\n";
  for (const verdict::Run& run : reference.runs) text += line(run);
  return text;
}

/// What is asked for: a result's own NICs and collective, as far as the options say nothing else.
void ReferenceCommand::ask_of_result(verdict::Nics& nics, std::string& collective) const {
  const auto measured =
      run_set_of(verdict::input_of(verdict::read_json(result_), result_), result_);
  if (measured.runs.empty()) throw std::invalid_argument(result_ + ": nothing was measured");
  const verdict::Run& run = measured.runs.back();
  if (!nics_) nics.per_node = run.nics_per_node;
  if (!gigabits_) nics.gigabits_per_second = run.line_rate_gigabits_per_second;
  if (transport_.empty() && run.point)
    nics.transport = "RoCE";  // which is what railgauge runs over
  if (collective_.empty()) collective = run.collective;
}

std::string ReferenceCommand::suggestions(const verdict::Library& library) const {
  verdict::Nics nics{nics_, gigabits_, transport_};
  std::string collective = collective_;
  if (!result_.empty()) ask_of_result(nics, collective);
  if (!nics.per_node || !nics.gigabits_per_second) {
    throw std::invalid_argument("say which NICs: --nics and --gbits, or a result that has them");
  }
  std::vector<Reference> all;
  for (const std::string& name : library.references()) all.push_back(library.reference(name));
  std::string text = std::string(kHead) + "alike?\n";
  std::size_t left_out = 0;
  std::size_t shown = 0;
  for (const verdict::Suggestion& one : verdict::suggested(all, nics, collective)) {
    const bool hardly = one.distance >= verdict::kHardlyAlike;
    if (hardly && !all_) {
      ++left_out;
      continue;
    }
    const char* alike = one.distance == 0 ? "same" : hardly ? "hardly" : "similar";
    text += columns(library.reference(one.name)) + alike + "\n";
    ++shown;
    for (const verdict::PublishedPlateau& plateau : one.plateaus) text += line(plateau);
  }
  if (shown == 0) text += "no published system has NICs like these\n";
  if (left_out > 0) {
    text +=
        std::to_string(left_out) + " systems that are hardly alike are left out; --all has them\n";
  }
  return text;
}

}  // namespace railgauge::benchmarks
