#include "finding/ranking.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "finding/words.hpp"

namespace railgauge::finding {
namespace {

void add_missing(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& one : more) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
  }
}

/// What findings of several checks have in common if they are one.
using Identity = std::tuple<Cause, std::string, std::string, std::string>;

Identity identity_of(const Finding& finding) {
  return {finding.cause, key_of(finding.where), finding.where.at.address, finding.detail};
}

/// A check that is sure speaks for one that is not.
void merge(Finding& finding, Finding more) {
  const bool surer = more.certainty > finding.certainty;
  finding.severity = std::max(finding.severity, more.severity);
  finding.certainty = std::max(finding.certainty, more.certainty);
  std::ranges::move(more.evidence, std::back_inserter(finding.evidence));
  if (surer) finding.excuses = more.excuses;
  const auto named = [](const std::string& checks) { return "+" + checks + "+"; };
  if (named(finding.check).find(named(more.check)) == std::string::npos)
    finding.check += "+" + more.check;
  if (finding.remedy.empty()) finding.remedy = more.remedy;
  if (more.waived.empty()) finding.waived.clear();
}

std::vector<Finding> merged(std::vector<Finding> findings) {
  std::vector<Finding> all;
  std::map<Identity, std::size_t> places;
  for (Finding& finding : findings) {
    const auto [before, is_new] = places.try_emplace(identity_of(finding), all.size());
    if (is_new) {
      all.push_back(std::move(finding));
    } else {
      merge(all[before->second], std::move(finding));
    }
  }
  return all;
}

bool explains(const Finding& cause, const Finding& symptom) {
  return cause.certainty >= Certainty::likely && explains(cause.cause, symptom.cause) &&
         (reaches(cause.where, symptom.where) || reaches(symptom.where, cause.where));
}

void mark_explained(std::vector<Finding>& findings) {
  for (Finding& symptom : findings) {
    const auto cause =
        std::ranges::find_if(findings, [&](const Finding& one) { return explains(one, symptom); });
    symptom.explained_by = cause == findings.end() ? "" : id_of(*cause);
  }
}

bool comes_first(const Finding& one, const Finding& other) {
  const auto rank = [](const Finding& finding) {
    return std::tuple(finding.certainty == Certainty::cleared, -static_cast<int>(finding.severity),
                      !finding.explained_by.empty(), -static_cast<int>(finding.certainty));
  };
  return rank(one) < rank(other);
}

bool can_be_grouped(const Finding& finding) {
  const Scope scope = finding.where.scope;
  return (scope == Scope::port || scope == Scope::device || scope == Scope::rail) &&
         finding.alternatives.empty();
}

/// Whether one sentence says both.
bool alike(const Finding& one, const Finding& other) {
  const auto words = [](const Finding& finding) {
    Finding placeless = finding;
    placeless.where = {};
    return sentence(placeless);
  };
  return can_be_grouped(one) && can_be_grouped(other) && one.where.at.host == other.where.at.host &&
         one.where.scope == other.where.scope && one.where.direction == other.where.direction &&
         one.severity == other.severity && words(one) == words(other);
}

/// "mlx5_0 and mlx5_1:2"
std::string devices_of(const std::vector<Endpoint>& ends) {
  std::vector<std::string> devices;
  for (const Endpoint& end : ends) {
    if (!end.device.empty())
      add_missing(devices, {in_words(Endpoint{.device = end.device, .port = end.port})});
  }
  return listed(devices);
}

/// "rail 3", "rails 2 and 3", "rails 0 to 7"
std::string numbered(const std::string& noun, const std::set<int>& numbers) {
  const auto count = static_cast<int>(numbers.size());
  if (count > 2 && *numbers.rbegin() - *numbers.begin() + 1 == count) {
    return noun + "s " + std::to_string(*numbers.begin()) + " to " +
           std::to_string(*numbers.rbegin());
  }
  std::vector<std::string> texts;
  texts.reserve(numbers.size());
  for (const int number : numbers) texts.push_back(std::to_string(number));
  return noun + (count == 1 ? " " : "s ") + listed(texts);
}

/// "host3 mlx5_0 and mlx5_1 (rails 0 and 1, rank 2) TX", "rails 0 and 1"
std::string places_of(const FindingGroup& group) {
  std::vector<Endpoint> ends{group.first.where.at};
  std::ranges::transform(group.others, std::back_inserter(ends), &Location::at);
  std::string rails = rails_and_planes(ends);
  if (group.first.where.scope == Scope::rail) return rails;
  Location all{.scope = Scope::port, .direction = group.first.where.direction};
  all.at.host = ends.front().host;
  const std::string direction = in_words(all).substr(all.at.host.size());
  std::vector<std::string> parts{all.at.host};
  if (const std::string devices = devices_of(ends); !devices.empty()) parts.push_back(devices);
  const std::vector<int>& ranks = ends.front().ranks;
  const bool of_same = std::ranges::all_of(
      ends, [&](const Endpoint& end) { return !ranks.empty() && end.ranks == ranks; });
  if (!rails.empty() && of_same) rails += ", " + numbered("rank", {ranks.begin(), ranks.end()});
  if (!rails.empty()) parts.push_back("(" + rails + ")");
  return joined(parts, " ") + direction;
}

/// What a sentence of one place says, of all places.
std::string of_all_places(const FindingGroup& group, std::string (*words)(const Finding&)) {
  std::string text = words(group.first);
  if (group.others.empty()) return text;
  return places_of(group) + text.substr(in_words(group.first.where).size());
}

}  // namespace

std::vector<Finding> ranked(std::vector<Finding> findings) {
  std::vector<Finding> all = merged(std::move(findings));
  mark_explained(all);
  std::ranges::stable_sort(all, comes_first);
  return all;
}

std::vector<FindingGroup> grouped(const std::vector<Finding>& findings) {
  std::vector<FindingGroup> groups;
  for (const Finding& finding : findings) {
    const auto like = std::ranges::find_if(
        groups, [&](const FindingGroup& group) { return alike(group.first, finding); });
    if (like == groups.end()) {
      groups.push_back({finding, {}});
    } else {
      like->others.push_back(finding.where);
    }
  }
  return groups;
}

std::string headline(const FindingGroup& group) {
  return of_all_places(group, &headline);
}

std::string sentence(const FindingGroup& group) {
  return of_all_places(group, &sentence);
}

std::string rails_text(std::vector<int> rails) {
  return numbered("rail", {rails.begin(), rails.end()});
}

std::string rails_and_planes(const std::vector<Endpoint>& ends) {
  std::map<int, std::set<int>> planes_of;
  std::set<int> planes;
  for (const Endpoint& end : ends) {
    if (!end.rail) continue;
    std::set<int>& of_rail = planes_of[*end.rail];
    if (!end.plane) continue;
    of_rail.insert(*end.plane);
    planes.insert(*end.plane);
  }
  std::vector<int> rails;
  std::vector<std::string> parts;
  for (const auto& [rail, of_rail] : planes_of) {
    rails.push_back(rail);
    parts.push_back("rail " + std::to_string(rail) +
                    (of_rail.empty() ? "" : " " + numbered("plane", of_rail)));
  }
  if (planes.empty()) return rails.empty() ? "" : rails_text(rails);
  if (rails.size() == 1 || planes.size() > 1) return listed(parts);
  return "plane " + std::to_string(*planes.begin()) + " of " + rails_text(rails);
}

}  // namespace railgauge::finding
