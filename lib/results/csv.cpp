#include "results/csv.hpp"

#include <set>
#include <sstream>

#include "results/utc.hpp"

namespace railgauge::results {
namespace {

template <class T>
std::string or_empty(const std::optional<T>& value) {
  std::ostringstream text;
  if (value) text << *value;
  return text.str();
}

std::size_t hosts_of(const Document& document) {
  std::set<std::string> names;
  for (const Rank& rank : document.ranks) names.insert(rank.host);
  return names.size();
}

std::string line_of(const Document& document, const std::string& collective,
                    const CollectiveRow& row, const Measurement& placement, const char* place) {
  const auto& time = placement.time;
  std::ostringstream line;
  line << utc(row.measured) << ',' << collective << ',' << row.algorithm << ',' << row.type << ','
       << row.op << ',' << row.point.root << ',' << document.ranks.size() << ','
       << hosts_of(document) << ',' << rails_of(row.point) << ',' << row.point.queue_pairs << ','
       << row.point.chunk_bytes << ',' << row.point.traffic_class << ',' << row.cycle << ','
       << row.size_bytes << ',' << row.count << ',' << place << ',' << time.n << ',' << time.min_us
       << ',' << time.p50_us << ',' << time.p90_us << ',' << time.p99_us << ',' << time.p999_us
       << ',' << time.max_us << ',' << placement.algbw_gigabytes_per_second << ','
       << placement.busbw_gigabytes_per_second << ',' << or_empty(placement.line_rate_percent)
       << ',' << or_empty(placement.wrong);
  return line.str();
}

}  // namespace

std::string csv_header(const Body& body) {
  if (std::holds_alternative<ReachabilityBody>(body)) return "";
  return "measured,collective,algorithm,type,op,root,ranks,hosts,rails,queue_pairs,chunk_bytes,"
         "traffic_class,cycle,size_bytes,count,placement,n,min_us,p50_us,p90_us,p99_us,p999_us,"
         "max_us,algbw_gigabytes_per_second,busbw_gigabytes_per_second,line_rate_percent,wrong";
}

std::vector<std::string> csv_lines(const Document& document, std::size_t number) {
  std::vector<std::string> lines;
  const auto* body = std::get_if<CollectiveBody>(&document.body);
  if (body == nullptr) return lines;
  const CollectiveRow& row = body->rows.at(number);
  if (row.out_of_place) {
    lines.push_back(line_of(document, body->collective, row, *row.out_of_place, "out_of_place"));
  }
  if (row.in_place)
    lines.push_back(line_of(document, body->collective, row, *row.in_place, "in_place"));
  return lines;
}

}  // namespace railgauge::results
