#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "verdict/logs/formats.hpp"
#include "verdict/logs/table.hpp"

namespace railgauge::verdict {
namespace {

struct Verb {
  std::string_view title;
  std::string_view program;
};

constexpr std::array kVerbs{Verb{"RDMA Write ", "ib_write"}, Verb{"RDMA Read ", "ib_read"},
                            Verb{"Send ", "ib_send"}, Verb{"Atomic ", "ib_atomic"}};

/// "RDMA_Write Bidirectional BW Test" and "RDMA_Write_Bidirectional_BW_Test" are
/// ib_write_bw_bidirectional, "Send_Lat" ib_send_lat; empty if the title is of none of its
/// programs.
std::string perftest_program(std::string_view words) {
  std::string title(words);
  std::ranges::replace(title, '_', ' ');
  const auto has = [&](std::string_view part) { return title.find(part) != std::string::npos; };
  const bool bandwidth = has("BW Test") || title.ends_with(" BW");
  if (!bandwidth && !has("Latency Test") && !title.ends_with(" Lat")) return "";
  for (const Verb& verb : kVerbs) {
    if (!has(verb.title)) continue;
    return std::string(verb.program) + (bandwidth ? "_bw" : "_lat") +
           (has("Bidirectional") ? "_bidirectional" : "");
  }
  return "";
}

bool is_perftest_head(std::string_view line) {
  const TableHead head = table_head(line);
  return !head.empty() && head[0].column == Column::size &&
         line.find("#iterations") != std::string_view::npos;
}

class PerftestReader final : public TableReader {
 public:
  explicit PerftestReader(const Stated& stated) : TableReader(stated) { untitled_ = true; }

 private:
  bool statement(std::string_view line) override {
    const std::string program = perftest_program(line);
    if (!program.empty()) begin({.collective = program, .ranks = 2});
    return !program.empty();
  }

  [[nodiscard]] std::string why_other_head() const override {
    const std::string& program = run().collective;
    const bool bandwidth = has_column(head(), Column::algbw);
    if (!has_column(head(), Column::repetitions)) return "the head is not perftest's";
    const bool fits = program.empty() || bandwidth == (program.find("_bw") != std::string::npos);
    return fits ? "" : "the head is not that of " + program;
  }

  /// A time is that of a message from the one to the other; there is no bandwidth to it.
  std::string complete(TableRow& row) override {
    return row.point.time_us ? "" : TableReader::complete(row);
  }
};

constexpr double kGigabits = 1.0 / 8;
constexpr double kMebibytes = (1 << 20) / 1e9;

/// The fields of a result in JSON, by the columns of a table. Bandwidth has no unit.
TableHead head_of_json(const std::map<std::string, std::string>& fields, double scale) {
  static const std::map<std::string, Column, std::less<>> kFields{
      {"MsgSize", Column::size},      {"n_iterations", Column::repetitions},
      {"BW_average", Column::algbw},  {"MsgRate", Column::messages},
      {"t_min", Column::least},       {"t_max", Column::most},
      {"t_typical", Column::typical}, {"t_avg", Column::mean}};
  TableHead head;
  for (const auto& [name, value] : fields) {
    const auto found = kFields.find(name);
    const Column column = found == kFields.end() ? Column::other : found->second;
    head.push_back({column, column == Column::algbw ? scale : 1, "perftest"});
  }
  return head;
}

/// Names and values between braces, commas and line ends: versions differ in what they quote, and
/// leave commas before braces.
class PerftestJsonReader {
 public:
  LogContent read(std::string_view text) {
    std::size_t line = 1;
    int depth = 0;
    std::string token;
    for (const char c : text) {
      if (c == '{') ++depth;
      if (c == '}') --depth;
      const bool ends = c == '{' || c == '}' || c == ',' || c == '\n';
      if (ends) take(line, std::exchange(token, ""));
      if (c == '}') finish();
      if (c == '\n') ++line;
      if (!ends && c != '"') token += c;
    }
    if (text.ends_with('\n')) --line;
    if (depth > 0) {
      gathered_.complain(line, "a JSON object without an end");
      gathered_.end(Ended::cut, line, "the JSON ends in the middle");
    } else {
      gathered_.end(Ended::complete, 0, "");  // perftest writes it when a test has ended
    }
    return gathered_.result();
  }

 private:
  void take(std::size_t line, const std::string& token) {
    const std::size_t colon = token.find(':');
    if (colon == std::string::npos) return;
    const std::string name = first_word(token.substr(0, colon));
    const std::string value = first_word(token.substr(colon + 1));
    if (name == "test")
      return begin(line, std::string(unindented(std::string_view(token).substr(colon + 1))));
    if (name == "MsgSize") line_ = line;
    if (line_ > 0) fields_[name] = value;
  }

  void begin(std::size_t line, const std::string& test) {
    const std::string program = perftest_program(test);
    if (program.empty()) gathered_.complain(line, "no test that is read: " + test);
    if (program != gathered_.run().collective) gathered_.begin({.collective = program, .ranks = 2});
  }

  /// At the end of an object, which may be that of a result.
  void finish() {
    const std::size_t line = std::exchange(line_, 0);
    const auto fields = std::exchange(fields_, {});
    const std::string& program = gathered_.run().collective;
    if (line == 0 || program.empty()) return;
    const bool bandwidth = program.find("_bw") != std::string::npos;
    std::vector<std::string_view> words;
    words.reserve(fields.size());
    for (const auto& [name, value] : fields) words.push_back(value);
    TableRow row = table_row(head_of_json(fields, kGigabits), words);
    if (bandwidth && !row.why_not.empty()) row = table_row(head_of_json(fields, kMebibytes), words);
    if (row.why_not.empty() && bandwidth != (row.algbw && fields.contains("MsgRate")))
      row.why_not = "BW_average or MsgRate is missing";
    if (row.why_not.empty() && !bandwidth && !row.point.time_us)
      row.why_not = "t_typical and t_avg are missing";
    if (row.wrong_data) gathered_.end(Ended::wrong_data, line, row.why_not);
    if (!row.why_not.empty()) return gathered_.complain(line, row.why_not);
    if (bandwidth) row.point.algbw_gigabytes_per_second = row.algbw->value;
    row.point.busbw_gigabytes_per_second = row.point.algbw_gigabytes_per_second;
    gathered_.add(row.point);
  }

  Gathering gathered_;
  std::map<std::string, std::string> fields_{};
  std::size_t line_ = 0;  // where a result begins; 0: outside of one
};

}  // namespace

const Format kPerftest{"perftest", has_line<is_perftest_head>, read_by<PerftestReader>};

const Format kPerftestJson{
    "perftest-json",
    [](std::string_view text) {
      return text.find("test_info") != std::string_view::npos &&
             text.find("MsgSize") != std::string_view::npos;
    },
    [](std::string_view text, const Stated&) { return PerftestJsonReader().read(text); }};

}  // namespace railgauge::verdict
