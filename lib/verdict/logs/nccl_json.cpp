#include "verdict/logs/formats.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "json/fields.hpp"
#include "json/text.hpp"
#include "verdict/logs/json_records.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

using json::Json;
using json::list;
using json::maybe;
using json::text_or_none;
using json::wanted;

/// Numbers are numbers, but a NaN is the text "nan", and a root the text "    -1".
std::optional<double> number_in(const Json& object, const char* field) {
  const auto found = object.find(field);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string collective_of(const Json& document) {
  const Json& arguments = list(document, "args");
  if (arguments.empty() || !arguments[0].is_string()) return "";
  std::string program = arguments[0].get<std::string>();
  program = program.substr(program.rfind('/') + 1);
  return collective_called(program.substr(0, program.rfind("_perf")));
}

void read_team(const Json& config, Run& run) {
  const Json& devices = list(config, "devices");  // of every process the first
  const auto threads = maybe<int>(config, "nthreads");
  const auto gpus = maybe<int>(config, "ngpus");
  if (devices.empty() || !threads || !gpus) return;
  std::set<std::string> hosts;
  for (const Json& device : devices) hosts.insert(text_or_none(device, "hostname"));
  run.ranks = static_cast<int>(devices.size()) * *threads * *gpus;
  run.nodes = static_cast<int>(hosts.size());
}

/// NCCL_VERSION_CODE since 2.9: 23004 is 2.30.4.
std::string library_of(const Json& document) {
  const auto code = maybe<int>(document, "nccl_version");
  if (!code || *code < 20000) return "";
  return "NCCL " + std::to_string(*code / 10000) + "." + std::to_string(*code / 100 % 100) + "." +
         std::to_string(*code % 100);
}

Point common_of(const Json& result) {
  Point point;
  point.size_bytes = wanted<std::uint64_t>(result, "size");
  point.type = text_or_none(result, "type");
  point.op = text_or_none(result, "redop");
  return point;
}

class NcclJsonReader {
 public:
  void result(std::size_t number, const Json& result) {
    Point point = common_of(result);
    point.buffers = BufferMode::out_of_place;
    measurement(number, point, result, "out_of_place");
    point.buffers = BufferMode::in_place;
    measurement(number, point, result, "in_place");
  }

  Gathering gathered;

 private:
  void measurement(std::size_t number, Point point, const Json& result, const char* field) {
    const auto found = result.find(field);
    if (found == result.end() || !found->is_object()) return;
    point.time_us = number_in(*found, "time");  // "cpu_time" with -C is another thing
    point.algbw_gigabytes_per_second = number_in(*found, "alg_bw");
    point.busbw_gigabytes_per_second = number_in(*found, "bus_bw");
    const std::string wrong = number_in(*found, "nwrong").value_or(0) > 0
                                  ? "elements are wrong"
                                  : impossible_in(*found, {"time", "alg_bw", "bus_bw", "nwrong"});
    if (!wrong.empty()) {
      gathered.complain(number, std::string(field) + ": " + wrong);
      gathered.end(Ended::wrong_data, number, std::string(field) + ": " + wrong);
    } else if (!point.algbw_gigabytes_per_second || !point.busbw_gigabytes_per_second) {
      gathered.complain(number, std::string(field) + ": alg_bw or bus_bw is no number");
    } else {
      gathered.add(point);
    }
  }
};

bool is_nccl_json(std::string_view text) {
  if (text.find("\"config\"") == std::string_view::npos) return false;
  const auto document = json::maybe_json(text);
  return document && document->is_object() && document->contains("results") &&
         document->contains("config");
}

LogContent read_nccl_json(std::string_view text, const Stated& /*stated*/) {
  const Json document = json::json_of_text(text);
  const auto version = maybe<int>(document, "version");
  if (version && (*version < 1 || *version > 3)) {
    throw std::runtime_error("it is version " + std::to_string(*version) +
                             " of nccl-tests' JSON; 1 to 3 can be read");
  }
  NcclJsonReader reader;
  Run& run = reader.gathered.run();
  run.collective = collective_of(document);
  run.library = library_of(document);
  read_team(maybe<Json>(document, "config").value_or(Json::object()), run);
  std::size_t number = 0;
  for (const Json& result : list(document, "results")) reader.result(++number, result);
  return reader.gathered.result();
}

}  // namespace

const Format kNcclJson{"nccl-json", is_nccl_json, read_nccl_json, false};

}  // namespace railgauge::verdict
