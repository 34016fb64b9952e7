#include "doctor/comparison.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "finding/words.hpp"
#include "topology/rail_groups.hpp"

namespace railgauge::doctor {
namespace {

using Members = std::vector<Result*>;
using Cohorts = std::map<std::string, Members>;
using Values = std::map<std::string, std::size_t>;

bool has_value(const Result& result) {
  return result.answer.verdict != Verdict::skip && result.answer.verdict != Verdict::unknown &&
         !result.answer.observed.empty();
}

std::string cohort_of(const Result& result) {
  const auto* const device = result.subject->device;
  if (result.check->alike != Alike::models || device == nullptr) return "";
  return device->model.empty() ? device->pci.driver : device->model;
}

Cohorts cohorts_of(std::vector<Result>& results) {
  Cohorts cohorts;
  for (Result& result : results) {
    if (has_value(result)) cohorts[cohort_of(result)].push_back(&result);
  }
  return cohorts;
}

Values values_of(const Members& members) {
  Values values;
  for (const Result* const one : members) ++values[one->answer.observed];
  return values;
}

/// "hosts", "devices of MT4129"
std::string most_of(const std::string& cohort, const Result& result) {
  if (result.check->alike == Alike::hosts)
    return result.subject->kind == Kind::host ? "most hosts" : "most devices";
  return "most " + std::string(word(result.subject->kind)) + "s of " +
         (cohort.empty() ? "this model" : cohort);
}

void accuse(Result& result, const std::string& usual, const std::string& cohort) {
  if (result.answer.verdict != Verdict::pass) return;
  result.answer.verdict = result.check->if_odd;
  result.answer.expected = usual;
  result.answer.remark = most_of(cohort, result);
}

/// "5.15 on host0 and host1, 6.1 on host2 and 3 more"
std::string spread_of(const Members& members) {
  constexpr std::size_t kShown = 2;
  std::map<std::string, std::set<std::string>> places;
  for (const Result* const one : members)
    places[one->answer.observed].insert(one->subject->where.at.host);
  std::vector<std::string> parts;
  parts.reserve(places.size());
  for (const auto& [value, hosts] : places)
    parts.push_back(value + " on " + finding::first_of({hosts.begin(), hosts.end()}, kShown));
  return finding::first_of(std::move(parts), 3);
}

void compare_alike(std::vector<Result>& results, const Subject& fabric) {
  std::vector<Result> open;
  for (auto& [cohort, members] : cohorts_of(results)) {
    const Values values = values_of(members);
    if (values.size() < 2) continue;
    if (const auto usual = topology::majority(values)) {
      for (Result* const one : members) {
        if (one->answer.observed != *usual) accuse(*one, *usual, cohort);
      }
      continue;
    }
    const Check* const check = members.front()->check;
    open.push_back({check,
                    &fabric,
                    {.verdict = check->if_odd,
                     .observed = spread_of(members),
                     .expected = "one value",
                     .remark = "none of them on most"}});
  }
  results.insert(results.end(), open.begin(), open.end());
}

/// Ports of one network device have its address, which is no mistake.
void compare_different(std::vector<Result>& results) {
  std::map<std::string, Members> owners;
  for (Result& result : results) {
    if (has_value(result)) owners[result.answer.observed].push_back(&result);
  }
  for (auto& [value, members] : owners) {
    for (Result* const one : members) {
      for (const Result* const other : members) {
        const bool same = one->subject->host == other->subject->host &&
                          one->subject->netdev == other->subject->netdev;
        if (same || one->answer.verdict != Verdict::pass) continue;
        one->answer.verdict = one->check->if_odd;
        one->answer.expected = "one that no other port has";
        one->answer.remark = in_words(other->subject->where) + " has it, too";
      }
    }
  }
}

}  // namespace

void compare(std::vector<Result>& results, const Subject& fabric) {
  if (results.empty()) return;
  const Alike alike = results.front().check->alike;
  if (alike == Alike::never) return compare_different(results);
  if (alike != Alike::no) compare_alike(results, fabric);
}

}  // namespace railgauge::doctor
