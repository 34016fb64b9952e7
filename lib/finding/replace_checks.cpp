#include "finding/replace_checks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace railgauge::finding {
namespace {

template <class T>
void replace(std::vector<T>& all, std::vector<T> newer) {
  std::set<std::string> checks;
  for (const T& one : newer) checks.insert(one.check);
  std::erase_if(all, [&](const T& one) { return checks.contains(one.check); });
  std::ranges::move(newer, std::back_inserter(all));
}

}  // namespace

void replace_checks(Report& report, Report newer) {
  replace(report.findings, std::move(newer.findings));
  replace(report.coverage, std::move(newer.coverage));
}

}  // namespace railgauge::finding
