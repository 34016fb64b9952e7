#include "verdict/logs/gathering.hpp"

#include <algorithm>
#include <utility>

namespace railgauge::verdict {

void Gathering::begin(const Run& run) {
  if (!run_.points.empty()) {
    run_.name = std::to_string(content_.runs.size() + 1);
    content_.runs.push_back(run_);
  }
  run_ = run;
}

void Gathering::add(const Point& point) {
  const auto again = [&](const Point& other) { return differs_in_figures_only(point, other); };
  if (std::ranges::any_of(run_.points, again)) {
    Run next = run_;
    next.points.clear();
    begin(next);
  }
  run_.points.push_back(point);
}

void Gathering::complain(std::size_t line, const std::string& text) {
  content_.complaints.push_back({line, text});
}

LogContent Gathering::result() {
  begin({});
  return std::exchange(content_, {});
}

}  // namespace railgauge::verdict
