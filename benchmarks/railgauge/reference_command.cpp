#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "finding/words.hpp"
#include "options/shared.hpp"
#include "verdict/curve.hpp"
#include "verdict/library.hpp"
#include "verdict/line_rate.hpp"
#include "verdict/reference_suggestions.hpp"
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
  return finding::printed("%g", static_cast<double>(*value));
}

std::string columns(const Reference& reference) {
  return finding::printed("%-34s  %4s  %4s  %-10s  ", reference.name.c_str(),
                          or_unknown(reference.nics_per_node).c_str(),
                          or_unknown(reference.line_rate_gigabits_per_second).c_str(),
                          or_unknown(reference.transport).c_str());
}

constexpr const char* kHead = "name                                NICs  Gb/s  transport   ";

/// "91 %"
std::string percent(const std::optional<double>& fraction) {
  if (!fraction) return "?";
  constexpr double kPercent = 100;
  return finding::printed("%.0f %%", kPercent * *fraction);
}

/// What its highest bandwidth is, of all its curves.
std::string plateau_of(const verdict::Run& run) {
  double best = 0;
  for (const verdict::Curve& curve : verdict::curves_of(run)) {
    const auto plateau = verdict::plateau_of(curve);
    if (plateau) best = std::max(best, plateau->busbw_gigabytes_per_second);
  }
  return finding::printed("%9.2f GB/s  %7s", best,
                          percent(verdict::line_rate_fraction(run, best)).c_str());
}

std::string line(const verdict::Run& run) {
  const std::string why = verdict::why_no_nic_target(run);
  return finding::printed("  %-14s  %5s hosts  %5s ranks  %s  ", or_unknown(run.collective).c_str(),
                          or_unknown(run.nodes).c_str(), or_unknown(run.ranks).c_str(),
                          plateau_of(run).c_str()) +
         run.name + (why.empty() ? "" : ": no target: " + why) + "\n";
}

std::string line(const verdict::PublishedPlateau& plateau) {
  return finding::printed("    %-14s  %5s hosts  plateau %8.2f GB/s  %7s\n",
                          plateau.collective.c_str(), or_unknown(plateau.nodes).c_str(),
                          plateau.busbw_gigabytes_per_second,
                          percent(plateau.line_rate_fraction).c_str());
}

std::string listed(const verdict::Library& library) {
  std::string text = std::string(kHead) + "system\n";
  for (const std::string& name : library.references()) {
    const Reference reference = library.reference(name);
    text += columns(reference) + reference.system + "\n";
  }
  return text;
}

std::string shown(const Reference& reference) {
  std::string text = reference.name + ": " + or_unknown(reference.system) + "\n" +
                     or_unknown(reference.nics_per_node) + " NICs of " +
                     or_unknown(reference.line_rate_gigabits_per_second) + " Gb/s a host (" +
                     or_unknown(reference.nic) + "), " + or_unknown(reference.transport) + ", " +
                     or_unknown(reference.accelerator) + "\n" +
                     "source: " + or_unknown(reference.source.title) + ", " +
                     or_unknown(reference.source.date) + "\n        " +
                     or_unknown(reference.source.url) + "\n";
  for (const std::string& caveat : reference.caveats) text += "- " + caveat + "\n";
  text += "plateau of bus bandwidth, and its share of the line rate of one host's NICs:\n";
  for (const verdict::Run& run : reference.runs) text += line(run);
  return text;
}

class ReferenceListCommand final : public Command {
 public:
  ReferenceListCommand()
      : Command({.program = "railgauge reference list", .about = "List all published systems"}) {}

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& /*remarks*/) const override {
    out << listed(verdict::Library(verdict::shipped_data()));
    return results::ExitCode::ok;
  }
};

class ReferenceShowCommand final : public Command {
 public:
  ReferenceShowCommand()
      : Command({.program = "railgauge reference show",
                 .about = "Show the runs, source and caveats of a published system or a file"}) {
    table().argument("name", name_);
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& /*remarks*/) const override {
    out << shown(verdict::Library(verdict::shipped_data()).reference(name_));
    return results::ExitCode::ok;
  }

 private:
  std::string name_;
};

class ReferenceSuggestCommand final : public Command {
 public:
  ReferenceSuggestCommand()
      : Command({.program = "railgauge reference suggest",
                 .about = "List published systems with similar NICs",
                 .examples = {{"railgauge reference suggest result.json",
                               "List published systems with NICs like those of a result"}}}) {
    table().argument("result", result_, false);
    table().optional(options::nics_per_host(), nics_);
    table().optional(options::line_rate_of_nic(), gigabits_);
    table().scalar(options::transport().with("Default for a result: RoCE"), transport_);
    table().scalar(
        options::collective().with("Lists only systems that have it (default: the result's)"),
        collective_);
    table().flag("--all", all_, "Include less similar systems: twice or half the speed");
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& /*remarks*/) const override {
    out << suggestions(verdict::Library(verdict::shipped_data()));
    return results::ExitCode::ok;
  }

 private:
  void ask_of_result(verdict::Nics& nics, std::string& collective) const;
  [[nodiscard]] std::string suggestions(const verdict::Library& library) const;

  std::string result_;
  std::optional<int> nics_;
  std::optional<double> gigabits_;
  std::string transport_;
  std::string collective_;
  bool all_ = false;
};

/// What is asked for: a result's own NICs and collective, as far as the options say nothing else.
void ReferenceSuggestCommand::ask_of_result(verdict::Nics& nics, std::string& collective) const {
  const auto measured =
      run_set_of(verdict::input_of(verdict::read_json(result_), result_), result_);
  if (measured.runs.empty()) throw std::invalid_argument(result_ + ": it has no measurements");
  const verdict::Run& run = measured.runs.back();
  if (!nics_) nics.per_node = run.nics_per_node;
  if (!gigabits_) nics.gigabits_per_second = run.line_rate_gigabits_per_second;
  if (transport_.empty() && run.point)
    nics.transport = "RoCE";  // which is what railgauge runs over
  if (collective_.empty()) collective = run.collective;
}

std::string ReferenceSuggestCommand::suggestions(const verdict::Library& library) const {
  verdict::Nics nics{nics_, gigabits_, transport_};
  std::string collective = collective_;
  if (!result_.empty()) ask_of_result(nics, collective);
  if (!nics.per_node || !nics.gigabits_per_second) {
    throw std::invalid_argument("NICs unknown: give --nics and --gbits, or a result document");
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
  if (shown == 0) text += "no published system has similar NICs\n";
  if (left_out > 0) {
    text += std::to_string(left_out) + " less similar systems omitted; use --all to list them\n";
  }
  return text;
}

}  // namespace

std::unique_ptr<Command> reference_list_command() {
  return std::make_unique<ReferenceListCommand>();
}

std::unique_ptr<Command> reference_show_command() {
  return std::make_unique<ReferenceShowCommand>();
}

std::unique_ptr<Command> reference_suggest_command() {
  return std::make_unique<ReferenceSuggestCommand>();
}

}  // namespace railgauge::benchmarks
