#include "verdict/logs/import.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "finding/words.hpp"
#include "schedule/collective.hpp"
#include "verdict/logs/formats.hpp"
#include "verdict/logs/table.hpp"
#include "verdict/logs/transcript.hpp"

namespace railgauge::verdict {
namespace {

constexpr std::array kFormats{&kNcclTable, &kNcclJson, &kRccl,  &kPerftestJson,
                              &kInspector, &kOsu,      &kImb,   &kUcc,
                              &kPerftest,  &kGloo,     &kVendor};

/// What people take for a log that can be read, by its first words.
struct Other {
  std::string_view words;
  std::string_view what;
  std::string_view nearest;
};

constexpr std::array kOthers{
    Other{"nvbandwidth Version",
          "nvbandwidth's: copies between processors and GPUs of one host, which no NIC carries and "
          "no collective can be compared with",
          ""},
    Other{"memcpy CE ", "nvbandwidth's: copies between processors and GPUs of one host", ""},
    Other{"#sent", "of fabtests", "perftest"},
    Other{"usec/xfer", "of fabtests", "perftest"},
    Other{"overhead (usec)", "ucx_perftest's", "ucc"},
    Other{"| Stage", "ucx_perftest's", "ucc"},
    Other{"---- Performance of ", "of DeepSpeed's communication benchmark", "nccl-table"},
    Other{"COMMS-RES-QUANT", "of PARAM's quantized collectives", "vendor"},
    Other{"TransferBench v", "TransferBench's: copies within one host", ""},
    Other{"Connecting to host ", "iperf3's: a TCP stream, not RDMA", "perftest"},
    Other{"rdma_bw", "qperf's", "perftest"},
    Other{"[ID] Interval", "iperf's: a TCP stream, not RDMA", "perftest"}};

std::string at_line(std::size_t number) {
  return "line " + std::to_string(number) + ": ";
}

/// What looks like a log of ours and is of another thing; else the head of a table whose title is
/// not there.
void refuse_by_name(const Transcript& transcript) {
  std::size_t at = 0;
  for (const std::string_view line : lines_of(transcript.text)) {
    const std::size_t number = transcript.numbers.at(at++);
    for (const Other& other : kOthers) {
      if (line.find(other.words) == std::string_view::npos) continue;
      throw std::invalid_argument(
          at_line(number) + "it is " + std::string(other.what) +
          (other.nearest.empty() ? "" : "; the nearest format is " + std::string(other.nearest)));
    }
    if (const TableHead head = table_head(line); !head.empty()) {
      const auto known =
          std::ranges::find_if(head, [](const HeadColumn& one) { return !one.format.empty(); });
      throw std::invalid_argument(at_line(number) + "a head of columns without the title above it" +
                                  "; the nearest format is " + std::string(known->format));
    }
  }
}

const Format& format_called(const std::string& name, const Transcript& transcript) {
  const auto* const found = std::ranges::find_if(kFormats, [&](const Format* format) {
    return name == "auto" ? format->recognises(transcript.text) : name == format->name;
  });
  if (found != kFormats.end()) return **found;
  if (name == "auto") refuse_by_name(transcript);
  const std::string all = finding::joined(log_formats());
  throw std::invalid_argument(name == "auto"
                                  ? "unknown format; railgauge reads " + all
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

}  // namespace

std::vector<std::string> log_formats() {
  std::vector<std::string> names;
  names.reserve(kFormats.size());
  for (const Format* const format : kFormats) names.emplace_back(format->name);
  return names;
}

NoFigures::NoFigures(std::vector<Complaint> complaints)
    : std::invalid_argument("there are no figures in it that can be read"),
      complaints_(std::move(complaints)) {}

Imported import_log(std::string_view log, const std::string& name, const Stated& stated) {
  const Transcript transcript = transcript_of(log);
  const Format& format = format_called(name, transcript);
  LogContent content = format.read(transcript.text, stated);
  const std::size_t of_results = format.has_lines ? 0 : content.because.size();
  read_end(transcript.text, format.name, content);
  if (format.has_lines) {
    for (Complaint& one : content.complaints) one.line = transcript.numbers.at(one.line - 1);
  }
  if (content.runs.empty()) throw NoFigures(std::move(content.complaints));
  Imported imported;
  imported.complaints = std::move(content.complaints);
  Reference& reference = imported.reference;
  Ending& ending = reference.ending.emplace();
  ending.how = content.ended;
  for (const auto& [place, why] : content.because) {
    const bool of_result = ending.reasons.size() < of_results;
    ending.reasons.push_back((of_result ? "result " + std::to_string(place) + ": "
                                        : at_line(transcript.numbers.at(place - 1))) +
                             why);
  }
  ending.skipped_lines = imported.complaints.size();
  for (Run& run : content.runs) {
    state(run.collective, stated.collective, "--collective");
    const bool pair = !run.collective.empty() && !schedule::collective(run.collective);
    if (!pair) state(run.ranks, stated.ranks, "--ranks");
    state(run.nodes, stated.nodes, "--nodes");
    state(run.nics_per_node, stated.nics_per_node, "--nics");
    state(run.line_rate_gigabits_per_second, stated.line_rate_gigabits_per_second, "--gbits");
    state(run.beside_nics, stated.beside_nics, "--beside");
    if (run.ranks && run.ranks == run.nodes) run.beside_nics.emplace();  // one rank a host
    if (run.ranks && *run.ranks < 1) run.ranks.reset();
    if (const std::string why = why_inconsistent(run); !why.empty())
      throw std::invalid_argument(why);
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
