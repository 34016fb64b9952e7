#include "verdict/logs/transcript.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "finding/words.hpp"
#include "verdict/logs/encoding.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

struct Line {
  std::size_t number = 0;
  std::string stream{};  // who wrote it: a rank, a host, a container; empty if nothing says
  std::string text{};
};

/// What launchers and loggers put before a line. Who wrote it, if they say, is a group.
std::regex prefix() {
  const std::string clock = R"(\d\d:\d\d:\d\d)";
  const std::string time = R"((?:\d{4}-\d\d-\d\d[T ]|\d{4}/\d\d/\d\d )?)" + clock +
                           R"((?:[.,]\d*)?(?:Z|[+-]\d\d:?\d\d)?)";
  const std::string level = "(?:DEBUG|INFO|NOTICE|WARNING|ERROR)";
  const std::vector<std::string> forms{
      "> ",
      // a time, what CRI, GitLab and journalctl put behind it ("stdout F ", "01O ", "host
      // name[1234]: "), and loggers ("- INFO - ", "[INFO] ")
      R"((?:\[)" + time + R"(\]|)" + time +
          R"()(?:[ \t]|$)(?:std(?:out|err) [FP] |\d\d[OE][ +]|[^ \t]+ [^ \t]+\[\d+\]: )?)" +
          R"((?:[ \t]*(?:- )?(?:\[)" + level + R"(\] |)" + level + "(?: - |: | )))?",
      // "Jan 31 12:00:00 host name[1234]: " of syslog
      "[A-Za-z]{3} .. " + clock + R"( [ \t]*(?!#)[^ \t]*[^ \t:][ \t]+[^ \t]+: )",
      // "Jan 31 12:00:00 ", "1706700000.123456 " of ts
      "[A-Za-z]{3} .. " + clock + R"((?:\.\d+)?(?:[ \t]|$)|\d{10}\.\d{3,9}(?: |$))",
      // "Sat Jan 31 12:00:00 2026<stdout>:" of Open MPI's --timestamp-output, or before its tag
      "[A-Za-z]{3} [A-Za-z]{3} .. " + clock + R"( \d{4}(?:<std(?:out|err)>:|(?=[\[ ])))",
      // "[3] " of MPICH, "[pod/name/container] " of kubectl; "3: " of srun -l
      R"(\[(\d+|pod/.*?)\] |(\d+):(?: |$))",
      // "[rank3]: " and "[default3]:" of torchrun, "(name pid=1234) " of Ray
      R"(\[(?:rank|default)(\d+)\]:(?: |$)?|(\([^()]* pid=\d+[^()]*\))(?: |$))"};
  return std::regex(finding::joined(forms, "|"));
}

/// "[1,0]<stdout>:" of Open MPI; of its version 5 "[prterun-host-4711@1,0]<stdout>: ".
struct Tag {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string rank{};
};

/// The first tag. Of a line of brackets, too, each letter is read once.
std::optional<Tag> tag_in(std::string_view text) {
  constexpr std::size_t kLongest = 256;
  std::size_t from = 0;
  for (std::size_t close = text.find("]<std"); close != std::string_view::npos;
       close = text.find("]<std", from)) {
    const std::size_t begin = std::max(from, close - std::min(close, kLongest));
    const std::size_t open = text.substr(begin, close - begin).rfind('[');
    from = close + 1;
    for (const std::string_view mark : {"]<stdout>:", "]<stderr>:", "]<stddiag>:"}) {
      if (open == std::string_view::npos || !text.substr(close).starts_with(mark)) continue;
      const std::string_view inside = text.substr(begin + open + 1, close - begin - open - 1);
      const std::size_t comma = inside.rfind(',');
      if (comma == std::string_view::npos || !whole_number(inside.substr(comma + 1))) continue;
      return Tag{begin + open, close + mark.size(), std::string(inside.substr(comma + 1))};
    }
  }
  return std::nullopt;
}

/// Takes one prefix away. Whether there was one.
bool strip_one(std::string_view& text, std::string& stream) {
  constexpr std::size_t kLongest = 256;  // a regex takes room on the stack for each letter
  const std::string_view line = unindented(text);
  const std::string_view begin = line.substr(0, kLongest);
  if (const auto tag = tag_in(begin); tag && tag->begin == 0) {
    stream += " " + tag->rank;
    text = line.substr(tag->end);
    return true;
  }
  static const std::regex kPrefix = prefix();
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_search(begin.begin(), begin.end(), found, kPrefix,
                         std::regex_constants::match_continuous))
    return false;
  for (std::size_t group = 1; group < found.size(); ++group) {
    if (found[group].matched) stream += " " + found[group].str();
  }
  text = line.substr(static_cast<std::size_t>(found.length()));
  return true;
}

void strip(Line& line) {
  constexpr int kMost = 16;  // launchers and loggers in one another
  std::string_view text = line.text;
  for (int count = 0; count < kMost && strip_one(text, line.stream); ++count) {
  }
  line.text = std::string(text);
}

/// What of a JSON value may be the text of a log: a string, or a list of lines.
std::optional<std::string> log_text(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array() || value.empty()) return std::nullopt;
  std::string text;
  for (const auto& one : value) {
    if (!one.is_string()) return std::nullopt;
    const auto line = one.get<std::string>();
    text += line + (line.ends_with('\n') ? "" : "\n");
  }
  return text;
}

/// Of docker, journald, cloud loggers, Ansible, Loki and notebooks.
constexpr std::array kLogFields{"log",          "message", "MESSAGE", "msg", "textPayload",
                                "stdout_lines", "stdout",  "line",    "text"};

/// All cells of a notebook and their outputs are one log.
std::optional<std::string> unpacked_object(const nlohmann::json& object) {
  for (const char* field : kLogFields) {
    if (!object.contains(field)) continue;
    if (auto text = log_text(object[field])) return text;
  }
  std::optional<std::string> all;
  for (const char* list : {"cells", "outputs"}) {
    if (!object.contains(list)) continue;
    for (const nlohmann::json& part : object[list]) {
      const auto text = part.is_object() ? unpacked_object(part) : std::nullopt;
      if (text) all = all.value_or("") + *text + (text->ends_with('\n') ? "" : "\n");
    }
  }
  return all;
}

/// An item of a list of lines, as notebooks and Ansible write it: "text\n", and not one of a list
/// of single words, as arguments are.
bool is_item(std::string_view line, const std::string& text) {
  return line.starts_with('"') && (text.ends_with('\n') || words_of(text).size() > 2);
}

/// The lines that a line of JSON holds; the line itself if it holds none.
std::string unpacked(std::string_view line) {
  std::string_view inner = unindented(line);
  while (inner.ends_with(',') || inner.ends_with(' ')) inner.remove_suffix(1);
  const bool object = (inner.starts_with('{') && inner.ends_with('}')) ||
                      (inner.starts_with("[\"") && inner.ends_with("\"]"));
  std::string_view value = inner;
  for (const char* field : kLogFields) {
    const std::string name = '"' + std::string(field) + "\":";
    if (inner.starts_with(name)) value = unindented(inner.substr(name.size()));
  }
  if (!object && !value.starts_with('"')) return std::string(line);
  const auto json = nlohmann::json::parse(value, nullptr, false);
  const auto text =
      json.is_object()  ? unpacked_object(json)
      : json.is_array() ? log_text(json)
      : json.is_string() && (value != inner || is_item(inner, json.get<std::string>()))
          ? log_text(json)
          : std::nullopt;
  return text.value_or(std::string(line));
}

/// Ansible prints what a command wrote as "stdout", and below it once more as "stdout_lines".
class RepeatedOutput {
 public:
  /// Whether a line is of the list that repeats the text above it.
  bool holds(std::string_view line) {
    const std::string_view inner = unindented(line);
    const bool below = std::exchange(text_, inner.starts_with("\"stdout\": \""));
    const bool opens = below && inner.starts_with("\"stdout_lines\": [");
    inside_ = (inside_ || opens) && !inner.starts_with(']') && !inner.ends_with(']') &&
              !inner.ends_with("],");
    return inside_;
  }

 private:
  bool text_ = false;  // the line before is the text
  bool inside_ = false;
};

/// Cuts a line where another rank's output begins in its middle; its own rank's tags go.
void add_parts(const Line& line, std::vector<Line>& lines) {
  std::string_view rest = line.text;
  Line part{line.number, line.stream, ""};
  while (const auto tag = tag_in(rest)) {
    part.text += rest.substr(0, tag->begin);
    rest.remove_prefix(tag->end);
    const std::string stream = " " + tag->rank;
    if (part.stream.ends_with(stream) || part.stream.empty()) continue;
    lines.push_back(part);
    part = {line.number, stream, ""};
  }
  part.text += rest;
  lines.push_back(part);
}

/// "node-01: ", "launcher-1  | ": the name, and where it ends; empty if there is none.
struct Name {
  std::string_view name{};
  std::size_t end = 0;
};

Name name_before(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 ||
                               std::string_view("-_.").find(line[end]) != std::string_view::npos)) {
    ++end;
  }
  if (end == 0) return {};
  const std::string_view name = line.substr(0, end);
  const std::string_view rest = line.substr(end);
  if (rest.starts_with(": ")) return {name, end + 2};
  if (rest == ":") return {name, end + 1};
  const std::size_t bar = line.find_first_not_of(" \t", end);
  if (bar != std::string_view::npos && bar > end && line[bar] == '|') {
    return {name, std::min(bar + 2, line.size())};
  }
  return {};
}

/// Nearly all lines begin with the name of a host, and names come again: what a table's own head
/// says ("Device: ...") does neither. Names of JSON come again, too, with braces between them.
bool has_names(const std::vector<Line>& lines) {
  std::size_t filled = 0;
  std::size_t named = 0;
  std::set<std::string, std::less<>> names;
  for (const Line& line : lines) {
    const std::string_view text = unindented(line.text);
    if (text.empty()) continue;
    if (text == "{" || text == "}") return false;
    ++filled;
    const Name found = name_before(line.text);
    if (found.end == 0) continue;
    ++named;
    names.emplace(found.name);
  }
  constexpr std::size_t kOfTen = 8;
  return 10 * named >= kOfTen * filled && 2 * names.size() <= named;
}

void strip_names(std::vector<Line>& lines) {
  if (!has_names(lines)) return;
  for (Line& line : lines) {
    const Name found = name_before(line.text);
    if (found.end == 0) continue;
    line.stream += " " + std::string(found.name);
    line.text = line.text.substr(found.end);
    strip(line);
  }
}

/// Two numbers at its beginning: a row of a table.
bool is_row(const std::string& text) {
  const auto words = words_of(text);
  return words.size() > 1 && whole_number(words[0]) && number(words[1]);
}

/// Several ranks wrote tables, which would be read as one.
bool several_tables(const std::vector<Line>& lines) {
  std::set<std::string> streams;
  for (const Line& line : lines) {
    if (is_row(line.text)) streams.insert(line.stream);
  }
  return streams.size() > 1;
}

void sort_by_stream(std::vector<Line>& lines) {
  if (!several_tables(lines)) return;
  std::map<std::string, std::size_t> order;
  for (const Line& line : lines) order.emplace(line.stream, order.size());
  std::ranges::stable_sort(lines, {}, [&](const Line& line) { return order[line.stream]; });
}

std::vector<Line> lines_in(const std::string& text) {
  std::vector<Line> lines;
  RepeatedOutput repeated;
  std::size_t number = 0;
  for (const std::string_view raw : lines_of(text)) {
    ++number;
    if (repeated.holds(raw)) continue;
    const std::string whole = unpacked(without_controls(raw));
    if (whole.empty()) lines.push_back({number, "", ""});
    for (const std::string_view one : lines_of(whole)) {
      Line made{number, "", without_controls(one)};
      std::ranges::replace(made.text, '\r', ' ');
      strip(made);
      add_parts(made, lines);
    }
  }
  return lines;
}

}  // namespace

Transcript transcript_of(std::string_view log) {
  std::vector<Line> lines = lines_in(in_utf8(log));
  strip_names(lines);
  sort_by_stream(lines);
  Transcript transcript;
  for (const Line& line : lines) {
    transcript.text += line.text + "\n";
    transcript.numbers.push_back(line.number);
  }
  return transcript;
}

}  // namespace railgauge::verdict
