#include <nlohmann/json.hpp>

#include "results/json_fields.hpp"
#include "verdict/logs/formats.hpp"
#include "verdict/logs/json_records.hpp"
#include "verdict/logs/log.hpp"
#include "verdict/logs/perftest_units.hpp"

namespace railgauge::verdict {
namespace {

using results::Json;
using results::maybe;
using results::maybe_positive;
using results::text_or_none;

void drop_comma(std::string& text) {
  const std::size_t last = text.find_last_not_of(" \t\n");
  if (last != std::string::npos && text[last] == ',') text.erase(last, 1);
}

/// perftest quotes no names in some versions, and leaves commas before braces:
/// {test_info: {test: "Send_BW", }}.
std::string quoted(std::string_view text) {
  std::string result;
  bool inside = false;
  const auto letter = [](char one) {
    return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_';
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool in_number = at > 0 && (letter(text[at - 1]) || text[at - 1] == '.');
    if (!inside && !in_number && std::isalpha(static_cast<unsigned char>(c)) != 0) {
      std::size_t end = at;
      while (end < text.size() && letter(text[end])) ++end;
      result += '"' + std::string(text.substr(at, end - at)) + '"';
      at = end;
      continue;
    }
    if (c == '"') inside = !inside;
    if (!inside && c == '}') drop_comma(result);
    result += c;
    ++at;
  }
  return result;
}

/// Its bandwidth comes without a unit: size times the rate of messages tells which it is.
std::string read_bandwidth(const Json& results, Point& point) {
  const auto average = maybe_positive<double>(results, "BW_average");
  const auto rate = maybe_positive<double>(results, "MsgRate");
  if (!average || !rate) return "BW_average or MsgRate is missing";
  for (const double per_gigabyte : {kBitsPerByte, kMebibytesPerGigabyte}) {
    if (!is_rate({*average, 0.01}, {*rate, 1e-6}, *point.size_bytes, per_gigabyte)) continue;
    point.algbw_gigabytes_per_second = *average / per_gigabyte;
    point.busbw_gigabytes_per_second = point.algbw_gigabytes_per_second;
    return "";
  }
  return "BW_average is not size times MsgRate, in Gb/s or in MB/s";
}

std::string read_time(const Json& results, Point& point) {
  const auto typical = maybe_positive<double>(results, "t_typical");
  point.time_us = typical ? typical : maybe_positive<double>(results, "t_avg");
  if (!point.time_us) return "t_typical and t_avg are missing";
  const double least = maybe<double>(results, "t_min").value_or(*point.time_us);
  const double most = maybe<double>(results, "t_max").value_or(*point.time_us);
  const bool between = least <= *point.time_us && *point.time_us <= most;
  return between ? "" : "the time is not between the least and the most";
}

std::string add(const Json& json, Gathering& gathered) try {
  const Json info = results::wanted<Json>(json, "test_info");
  const Json results = results::wanted<Json>(json, "results");
  const std::string test = text_or_none(info, "test");
  const std::string program = perftest_program(test);
  if (program.empty()) return "no test that is read: " + test;
  Point point;
  point.size_bytes = results::wanted<std::uint64_t>(results, "MsgSize");
  const bool bandwidth = program.find("_bw") != std::string::npos;
  std::string why = bandwidth ? read_bandwidth(results, point) : read_time(results, point);
  if (!why.empty()) return why;
  if (gathered.run().collective != program) {
    gathered.begin(Run{.collective = program, .ranks = 2});
  }
  gathered.add(point);
  return "";
} catch (const std::runtime_error& error) {
  return error.what();
}

}  // namespace

bool is_perftest_json(std::string_view text) {
  return text.find("test_info") != std::string_view::npos &&
         text.find("MsgSize") != std::string_view::npos;
}

LogContent read_perftest_json(std::string_view text) {
  const std::string whole =
      text.find("\"MsgSize\"") == std::string_view::npos ? quoted(text) : std::string(text);
  Complaints complaints;
  Gathering gathered;
  for (const JsonRecord& record : json_records(whole, complaints)) {
    const std::string why = add(record.json, gathered);
    if (!why.empty()) gathered.complain(record.line, why);
  }
  LogContent content = gathered.result();
  content.complaints.insert(content.complaints.end(), complaints.begin(), complaints.end());
  return content;
}

}  // namespace railgauge::verdict
