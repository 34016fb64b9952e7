#include "report/congestion_pictures.hpp"

#include "congestion/verdict.hpp"
#include "report/html.hpp"

namespace railgauge::report {

bool is_void(const results::CongestionRow& row) {
  return row.verdict == congestion::word(congestion::Verdict::unknown);
}

std::string step_in_words(const results::CongestionRow& row) {
  return row.step + (is_void(row) ? " (void)" : "");
}

std::string captioned(const std::string& caption, const std::string& picture) {
  return element("figure", element("figcaption", escaped(caption)) + picture) + "\n";
}

}  // namespace railgauge::report
