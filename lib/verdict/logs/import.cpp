#include "verdict/logs/import.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "schedule/collective.hpp"
#include "verdict/logs/formats.hpp"
#include "verdict/logs/transcript.hpp"

namespace railgauge::verdict {
namespace {

struct Format {
  const char* name;
  bool (*recognises)(std::string_view);
  LogContent (*read)(std::string_view, const Stated&);
  bool has_lines = true;  // or its complaints count records
};

constexpr std::array kFormats{
    Format{"nccl-table", is_nccl_table,
           [](std::string_view text, const Stated&) { return read_nccl_table(text); }},
    Format{"nccl-json", is_nccl_json,
           [](std::string_view text, const Stated&) { return read_nccl_json(text); }, false},
    Format{"rccl", is_rccl, [](std::string_view text, const Stated&) { return read_rccl(text); }},
    Format{"perftest-json", is_perftest_json,
           [](std::string_view text, const Stated&) { return read_perftest_json(text); }},
    Format{"inspector", is_inspector,
           [](std::string_view text, const Stated&) { return read_inspector(text); }},
    Format{"imb", is_imb, [](std::string_view text, const Stated&) { return read_imb(text); }},
    Format{"ucc", is_ucc, read_ucc},
    Format{"perftest", is_perftest,
           [](std::string_view text, const Stated&) { return read_perftest(text); }},
    Format{"osu", is_osu, read_osu},
    Format{"gloo", is_gloo, read_gloo},
    Format{"markdown", is_markdown, read_markdown}};

/// What looks like a log of ours and is of another thing.
void refuse_by_name(std::string_view text) {
  const auto holds = [&](const char* part) { return text.find(part) != std::string_view::npos; };
  if (holds("nvbandwidth Version") || holds("memcpy CE CPU(row)") || holds("memcpy CE GPU(row)")) {
    throw std::invalid_argument(
        "it is nvbandwidth's: copies between processors and GPUs of one host, which no NIC carries "
        "and no collective can be compared with");
  }
}

const Format& format_called(const std::string& name, std::string_view text) {
  const auto* const found = std::ranges::find_if(kFormats, [&](const Format& format) {
    return name == "auto" ? format.recognises(text) : name == format.name;
  });
  if (found != kFormats.end()) return *found;
  refuse_by_name(text);
  std::string all;
  for (const std::string& one : log_formats()) all += (all.empty() ? "" : ", ") + one;
  throw std::invalid_argument(name == "auto"
                                  ? "it is none of the formats that can be read: " + all
                                  : "there is no format '" + name + "': it is one of " + all);
}

template <class T>
void state(T& known, const T& stated, const char* option) {
  if (stated == T{}) return;
  if (known != T{} && known != stated) {
    throw std::invalid_argument(std::string(option) + ": the log says otherwise");
  }
  known = stated;
}

/// Both were rounded: tables have two decimals or three digits.
bool agree(double printed, double computed) {
  return std::abs(printed - computed) <= 0.03 + 0.012 * computed;
}

/// That busbw is what the collective and its ranks make of algbw.
void check_factor(const Run& run) {
  const auto collective = schedule::collective(run.collective);
  if (!collective || !run.ranks) return;
  const double factor = schedule::bus_factor(*collective, static_cast<schedule::Rank>(*run.ranks));
  for (const Point& point : run.points) {
    const auto& algbw = point.algbw_gigabytes_per_second;
    const auto& busbw = point.busbw_gigabytes_per_second;
    if (algbw && busbw && !agree(*busbw, *algbw * factor)) {
      throw std::invalid_argument("busbw is not what " + run.collective + " of " +
                                  std::to_string(*run.ranks) +
                                  " ranks makes of algbw: is --collective or --ranks wrong?");
    }
  }
}

}  // namespace

std::vector<std::string> log_formats() {
  std::vector<std::string> names;
  names.reserve(kFormats.size());
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

NoFigures::NoFigures(std::vector<Complaint> complaints)
    : std::invalid_argument("there are no figures in it that can be read"),
      complaints_(std::move(complaints)) {}

Imported import_log(std::string_view log, const std::string& name, const Stated& stated) {
  const Transcript transcript = transcript_of(log);
  const Format& format = format_called(name, transcript.text);
  LogContent content = format.read(transcript.text, stated);
  for (Complaint& complaint : content.complaints) {
    if (format.has_lines) complaint.line = transcript.numbers.at(complaint.line - 1);
  }
  if (content.runs.empty()) throw NoFigures(std::move(content.complaints));
  Imported imported;
  imported.complaints = std::move(content.complaints);
  Reference& reference = imported.reference;
  for (Run& run : content.runs) {
    state(run.collective, stated.collective, "--collective");
    state(run.ranks, stated.ranks, "--ranks");
    state(run.nodes, stated.nodes, "--nodes");
    state(run.nics_per_node, stated.nics_per_node, "--nics");
    state(run.line_rate_gigabits_per_second, stated.line_rate_gigabits_per_second, "--gbits");
    state(run.beside_nics, stated.beside_nics, "--beside");
    if (run.ranks && run.ranks == run.nodes) run.beside_nics.emplace();  // one rank a host
    check_factor(run);
  }
  reference.nics_per_node = content.runs[0].nics_per_node;
  const auto line_rate = content.runs[0].line_rate_gigabits_per_second;
  const auto same_rate = [&](const Run& run) {
    return run.line_rate_gigabits_per_second == line_rate;
  };
  if (std::ranges::all_of(content.runs, same_rate)) {
    reference.line_rate_gigabits_per_second = line_rate;
  }
  reference.runs = std::move(content.runs);
  return imported;
}

}  // namespace railgauge::verdict
