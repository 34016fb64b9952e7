#include "verdict/logs/import.hpp"

#include <algorithm>
#include <array>
#include <set>
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
    Other{"\"railgauge/", "a document of railgauge, which compare reads as it is", ""},
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

/// A word, in lower case, of logs of a format.
struct Hint {
  std::string_view word;
  std::string_view format;
};

constexpr std::array kHints{Hint{"ib_write_", "perftest"},    Hint{"ib_read_", "perftest"},
                            Hint{"ib_send_", "perftest"},     Hint{"ib_atomic_", "perftest"},
                            Hint{"gb/sec", "perftest"},       Hint{"osu_", "osu"},
                            Hint{"avg latency", "osu"},       Hint{"imb-mpi1", "imb"},
                            Hint{"ucc_perftest", "ucc"},      Hint{"hccl_test", "vendor"},
                            Hint{"nccom-test", "vendor"},     Hint{"mscclpp", "vendor"},
                            Hint{"nccl-tests", "nccl-table"}, Hint{"rccl-tests", "nccl-table"},
                            Hint{"busbw", "nccl-table"}};

bool is_format(std::string_view name) {
  return std::ranges::any_of(kFormats, [&](const Format* one) { return one->name == name; });
}

/// Why a head of columns, which no format has taken, is not read.
std::string about_head(const TableHead& head) {
  const auto known =
      std::ranges::find_if(head, [](const HeadColumn& one) { return !one.format.empty(); });
  if (!is_format(known->format))
    return "a head of columns that no benchmark prints so; import its whole output, with all "
           "columns";
  return "a head of columns without the title above it; the nearest format is " +
         std::string(known->format);
}

/// What a line says of a log of another thing, or of ours without its title. Empty: nothing.
std::string refusal_of(std::string_view line) {
  for (const Other& other : kOthers) {
    if (line.find(other.words) == std::string_view::npos) continue;
    return "it is " + std::string(other.what) +
           (other.nearest.empty() ? "" : "; the nearest format is " + std::string(other.nearest));
  }
  const TableHead head = table_head(line);
  return head.empty() ? "" : about_head(head);
}

/// What a word of a line lets expect. Empty: nothing.
std::string hint_of(std::string_view line) {
  const std::string text = lower(line);
  for (const Hint& hint : kHints) {
    if (text.find(hint.word) == std::string::npos) continue;
    return "'" + std::string(hint.word) + "' is of the format " + std::string(hint.format) +
           ", but the log has no whole table of it; import the benchmark's whole output";
  }
  return "";
}

/// Throws what the first line says of which anything is known.
void refuse_by(std::string (*why_of)(std::string_view line), const Transcript& transcript) {
  std::size_t at = 0;
  for (const std::string_view line : lines_of(transcript.text)) {
    const std::size_t number = transcript.numbers.at(at++);
    if (const std::string why = why_of(line); !why.empty())
      throw std::invalid_argument(at_line(number) + why);
  }
}

const Format& format_called(const std::string& name, const Transcript& transcript) {
  const auto* const found = std::ranges::find_if(kFormats, [&](const Format* format) {
    return name == "auto" ? format->recognises(transcript.text) : name == format->name;
  });
  if (found != kFormats.end()) return **found;
  if (name == "auto") refuse_by(refusal_of, transcript);
  if (name == "auto") refuse_by(hint_of, transcript);
  const std::string all = finding::joined(log_formats());
  throw std::invalid_argument(name == "auto"
                                  ? "unknown format: no line is the head of a table (" +
                                        finding::counted(transcript.numbers.size(), "line") +
                                        "); railgauge reads " + all
                                  : "there is no format '" + name + "': it is one of " + all);
}

/// The format of which a line begins a table, or is one of its rows; null if it is no such line.
const Format* begun_by(std::string_view line, const Format& own) {
  if (own.recognises(line)) return &own;
  for (const Format* const other : {&kNcclTable, &kOsu, &kImb, &kPerftest, &kGloo}) {
    const bool same = (other == &kPerftest && &own == &kPerftestJson) ||
                      (other == &kNcclTable && &own == &kVendor);  // has rows that begin like it
    if (!same && other != &own && other->recognises(line)) return other;
  }
  return nullptr;
}

/// Tables of other benchmarks, which are not read: the log says nothing of them as a whole. What
/// their rows were taken for is not told.
void tell_other_tables(std::string_view text, const Format& own, LogContent& content) {
  const Format* table = &own;
  std::set<std::size_t> others;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const Format* const begun = begun_by(line, own);
    if (begun != nullptr && begun != &own && begun != table)
      tell_end(content, Ended::cut, number,
               "a table of another benchmark, of the format " + std::string(begun->name) +
                   ", is not read: import it alone");
    if (begun != nullptr) table = begun;
    if (table != &own) others.insert(number);
  }
  std::erase_if(content.complaints,
                [&](const Complaint& one) { return others.contains(one.line); });
}

std::string told(const std::string& text) {
  return text;
}
std::string told(const std::optional<int>& count) {
  return std::to_string(count.value_or(0));
}
std::string told(const std::optional<double>& rate) {
  return finding::number(rate.value_or(0), 6);
}
std::string told(const std::optional<std::vector<std::string>>& names) {
  return names && !names->empty() ? finding::joined(*names) : "nothing";
}

template <class T>
void state(T& known, const T& stated, const char* option) {
  if (stated == T{}) return;
  if (known != T{} && known != stated) {
    throw std::invalid_argument(std::string(option) + ": the log says " + told(known));
  }
  known = stated;
}

/// The first row with a size, and ": "; empty if there is none.
std::string line_with(std::uint64_t size, const Transcript& transcript) {
  const std::string word = std::to_string(size);
  std::size_t at = 0;
  for (const std::string_view line : lines_of(transcript.text)) {
    const std::size_t number = transcript.numbers.at(at++);
    const auto words = words_of(line);
    if (words.empty() || words[0].starts_with('#')) continue;
    if (std::ranges::find(words, word) != words.end()) return at_line(number);
  }
  return "";
}

/// Throws std::invalid_argument for figures that contradict each other, the collective or the
/// ranks. It asks for options only where one was given.
void refuse_contradiction(const Run& run, const Stated& stated, const Transcript& transcript) {
  constexpr std::string_view kQuestion = ": is --collective or --ranks wrong?";
  Run one = run;
  for (const Point& point : run.points) {
    one.points = {point};
    std::string why = why_inconsistent(one);
    if (why.empty()) continue;
    if (why.ends_with(kQuestion) && stated.collective.empty() && !stated.ranks) {
      why.resize(why.size() - kQuestion.size());
      why += "; the log names " + run.collective + " and " + std::to_string(run.ranks.value_or(0)) +
             " ranks: is a line above the table lost?";
    }
    throw std::invalid_argument(line_with(point.size_bytes.value_or(0), transcript) + why);
  }
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
  const bool found = name == "auto" && format.has_lines && !content.runs.empty();
  if (found) tell_other_tables(transcript.text, format, content);
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
    const bool one_a_host = run.ranks && run.ranks == run.nodes;
    if (!run.beside_nics && one_a_host) run.beside_nics.emplace();
    if (run.ranks && *run.ranks < 1) run.ranks.reset();
    refuse_contradiction(run, stated, transcript);
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
