#include "soak/record_document.hpp"

#include <map>

#include "soak/places.hpp"
#include "soak/standing.hpp"

namespace railgauge::soak {
namespace {

using results::ExitCode;

/// Events and gaps are of the windows after which they were seen; verdicts do not depend on when
/// they are told of them.
void fill_standing(Standing& standing, const Record& record) {
  for (const Window& window : record.windows) standing.take_again(window);
  for (const Gap& gap : record.gaps) standing.take_again(gap);
  for (const Event& event : record.events) standing.take_again(event);
}

std::vector<results::PortCounters> counters_of(const Record& record) {
  std::map<PortKey, results::PortCounters> ports;
  for (const Window& window : record.windows) {
    for (const PortSample& port : window.ports) {
      results::PortCounters& sums = ports[key_of(port)];
      sums.host = port.host;
      sums.device = port.device;
      sums.port = port.port;
      sums.rail = port.rail;
      sums.plane = port.plane;
      sums.address = port.address;
      for (const auto& [name, by] : port.moved) {
        sums.before[name] = 0;
        sums.after[name] += by > 0 ? static_cast<std::uint64_t>(by) : 0;
      }
    }
  }
  std::vector<results::PortCounters> all;
  all.reserve(ports.size());
  for (auto& [key, sums] : ports) all.push_back(std::move(sums));
  return all;
}

ExitCode exit_code_of(const End& end) {
  if (!end.complete) return ExitCode::interrupted;
  return end.judgement.verdict == Verdict::pass ? ExitCode::ok : ExitCode::verdict_failed;
}

}  // namespace

results::Document document_of(const Record& record, const std::string& path) {
  const Header& header = record.header;
  results::Document document{.tool = header.tool, .start = header.started};
  document.command_line = header.command_line;
  document.options = header.options;
  document.hosts = header.hosts;
  document.ranks = header.ranks;
  document.warnings = record.remarks;
  document.counters = counters_of(record);
  if (record.end) {
    document.exit_code = exit_code_of(*record.end);
    document.end = record.end->when;
    if (!record.end->why.empty()) document.reasons = {record.end->why};
  }
  Standing standing(header);
  fill_standing(standing, record);
  results::SoakBody body{
      .record = path, .window_s = header.window_s, .load_percent = header.load_percent};
  standing.fill(body);
  document.body = std::move(body);
  return document;
}

}  // namespace railgauge::soak
