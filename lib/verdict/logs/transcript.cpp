#include "verdict/logs/transcript.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "verdict/logs/encoding.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

struct Line {
  std::size_t number = 0;
  std::string stream{};  // who wrote it: a rank, a host, a container; empty if nothing says
  std::string text{};
};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_gap(char c) {
  return c == ' ' || c == '\t';
}

std::string_view unindented(std::string_view text) {
  while (!text.empty() && is_gap(text.front())) text.remove_prefix(1);
  return text;
}

/// Whether a text has such a form: '0' stands for a digit, 'a' for a letter, the rest for itself.
bool has_form(std::string_view text, std::string_view form) {
  if (text.size() < form.size()) return false;
  for (std::size_t at = 0; at < form.size(); ++at) {
    const char c = text[at];
    const bool fits = form[at] == '0'   ? is_digit(c)
                      : form[at] == 'a' ? std::isalpha(static_cast<unsigned char>(c)) != 0
                                        : c == form[at];
    if (!fits) return false;
  }
  return true;
}

std::string_view without_digits(std::string_view text) {
  while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  return text;
}

/// What is behind "12:00:00", a fraction and a zone.
std::string_view behind_clock(std::string_view text) {
  text.remove_prefix(8);
  if (!text.empty() && (text[0] == '.' || text[0] == ',')) text = without_digits(text.substr(1));
  if (text.starts_with('Z')) return text.substr(1);
  for (const std::string_view zone : {"+00:00", "-00:00", "+0000", "-0000"}) {
    std::string form(zone);
    if (has_form(text, form)) return text.substr(form.size());
  }
  return text;
}

/// What is behind a time stamp; empty if there is none.
std::optional<std::string_view> behind_time(std::string_view text) {
  const bool bracket = text.starts_with('[');
  std::string_view rest = text.substr(bracket ? 1 : 0);
  for (const std::string_view date : {"0000-00-00T", "0000-00-00 ", "0000/00/00 "}) {
    if (has_form(rest, date)) rest.remove_prefix(date.size());
  }
  if (!has_form(rest, "00:00:00")) return std::nullopt;
  rest = behind_clock(rest);
  if (bracket) {
    if (!rest.starts_with(']')) return std::nullopt;
    rest.remove_prefix(1);
  }
  if (!rest.empty() && !is_gap(rest.front())) return std::nullopt;
  return rest.substr(rest.empty() ? 0 : 1);
}

/// "Jan 31 12:00:00 host name[1234]: "
std::optional<std::string_view> behind_syslog(std::string_view text) {
  if (text.size() < 16 || !has_form(text, "aaa ") || !has_form(text.substr(6), " 00:00:00 "))
    return std::nullopt;
  const std::string_view rest = text.substr(16);
  const std::size_t colon = rest.find(": ");
  const auto words = words_of(rest.substr(0, std::min(colon, rest.size())));
  if (colon == std::string_view::npos || words.size() != 2) return std::nullopt;
  return rest.substr(colon + 2);
}

/// "Sat Jan 31 12:00:00 2026<stdout>:" of Open MPI's --timestamp-output; a tag may follow instead.
std::optional<std::string_view> behind_ctime(std::string_view text) {
  constexpr std::size_t kLength = 24;
  if (text.size() < kLength || !has_form(text, "aaa aaa ")) return std::nullopt;
  if (!has_form(text.substr(10), " 00:00:00 0000")) return std::nullopt;
  const std::string_view rest = text.substr(kLength);
  for (const std::string_view mark : {"<stdout>:", "<stderr>:"}) {
    if (rest.starts_with(mark)) return rest.substr(mark.size());
  }
  return rest.starts_with('[') || rest.starts_with(' ') ? std::optional(rest) : std::nullopt;
}

/// "- INFO - ", "[INFO] ", "INFO: ", which loggers put behind a time stamp.
std::string_view behind_level(std::string_view text) {
  std::string_view rest = unindented(text);
  if (rest.starts_with("- ")) rest.remove_prefix(2);
  const bool bracket = rest.starts_with('[');
  if (bracket) rest.remove_prefix(1);
  for (const std::string_view level : {"DEBUG", "INFO", "NOTICE", "WARNING", "ERROR"}) {
    if (!rest.starts_with(level)) continue;
    rest.remove_prefix(level.size());
    for (const std::string_view end : {"] ", " - ", ": ", " "}) {
      if (rest.starts_with(end) && bracket == (end == "] ")) return rest.substr(end.size());
    }
  }
  return text;
}

/// "stdout F ", which CRI puts behind a time stamp.
std::string_view behind_cri(std::string_view text) {
  for (const std::string_view mark : {"stdout F ", "stderr F ", "stdout P ", "stderr P "}) {
    if (text.starts_with(mark)) return text.substr(mark.size());
  }
  return text;
}

/// "[1,0]<stdout>:" of Open MPI; of its version 5 "[prterun-host-4711@1,0]<stdout>: ".
struct Tag {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string rank{};
};

std::optional<Tag> tag_in(std::string_view text, std::size_t from) {
  for (const std::string_view mark : {"]<stdout>:", "]<stderr>:", "]<stddiag>:"}) {
    const std::size_t close = text.find(mark, from);
    if (close == std::string_view::npos) continue;
    const std::size_t open = text.rfind('[', close);
    if (open == std::string_view::npos || open < from) continue;
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    const std::size_t comma = inside.rfind(',');
    if (comma == std::string_view::npos || !whole_number(inside.substr(comma + 1))) continue;
    return Tag{open, close + mark.size(), std::string(inside.substr(comma + 1))};
  }
  return std::nullopt;
}

/// "[3] " of MPICH, "[pod/name/container] " of kubectl.
std::optional<std::string_view> behind_bracket(std::string_view text, std::string& stream) {
  const std::size_t close = text.find("] ");
  if (!text.starts_with('[') || close == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(1, close - 1);
  if (!whole_number(inside) && !inside.starts_with("pod/")) return std::nullopt;
  stream += " " + std::string(inside);
  return text.substr(close + 2);
}

/// "3: " of srun -l.
std::optional<std::string_view> behind_number(std::string_view text, std::string& stream) {
  const std::string_view rest = without_digits(text);
  const std::size_t digits = text.size() - rest.size();
  if (digits == 0 || !(rest.starts_with(": ") || rest == ":")) return std::nullopt;
  stream += " " + std::string(text.substr(0, digits));
  return rest.substr(std::min<std::size_t>(2, rest.size()));
}

/// Takes one prefix away. Whether there was one.
bool strip_one(std::string_view& text, std::string& stream) {
  const std::string_view line = unindented(text);
  if (const auto tag = tag_in(line, 0); tag && tag->begin == 0) {
    stream += " " + tag->rank;
    text = line.substr(tag->end);
    return true;
  }
  if (line.starts_with("> ")) {
    text = line.substr(2);
    return true;
  }
  if (auto rest = behind_time(line)) {
    text = behind_level(behind_cri(*rest));
    return true;
  }
  for (const auto& rest : {behind_syslog(line), behind_ctime(line), behind_bracket(line, stream),
                           behind_number(line, stream)}) {
    if (!rest) continue;
    text = *rest;
    return true;
  }
  return false;
}

void strip(Line& line) {
  std::string_view text = line.text;
  while (strip_one(text, line.stream)) {
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

/// Of docker, journald, cloud loggers and Ansible.
constexpr std::array kLogFields{"log",         "message",      "MESSAGE", "msg",
                                "textPayload", "stdout_lines", "stdout"};

std::optional<std::string> unpacked_object(const nlohmann::json& object) {
  for (const char* field : kLogFields) {
    if (!object.contains(field)) continue;
    if (auto text = log_text(object[field])) return text;
  }
  return std::nullopt;
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
  const bool object = inner.starts_with('{') && inner.ends_with('}');
  std::string_view value = inner;
  for (const char* field : kLogFields) {
    const std::string name = '"' + std::string(field) + "\":";
    if (inner.starts_with(name)) value = unindented(inner.substr(name.size()));
  }
  if (!object && !value.starts_with('"')) return std::string(line);
  const auto json = nlohmann::json::parse(value, nullptr, false);
  const auto text =
      json.is_object() ? unpacked_object(json)
      : json.is_string() && (value != inner || is_item(inner, json.get<std::string>()))
          ? log_text(json)
          : std::nullopt;
  return text.value_or(std::string(line));
}

/// Cuts a line where another rank's output begins in its middle; its own rank's tags go.
void add_parts(const Line& line, std::vector<Line>& lines) {
  std::string_view rest = line.text;
  Line part{line.number, line.stream, ""};
  while (const auto tag = tag_in(rest, 0)) {
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
/// says ("Device: ...") does neither.
bool has_names(const std::vector<Line>& lines) {
  std::size_t filled = 0;
  std::size_t named = 0;
  std::set<std::string, std::less<>> names;
  for (const Line& line : lines) {
    if (unindented(line.text).empty()) continue;
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
  std::size_t number = 0;
  for (const std::string_view raw : lines_of(text)) {
    ++number;
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
