#include "checks/odd_hosts.hpp"

#include <cstddef>
#include <utility>

#include "finding/words.hpp"

namespace railgauge::checks {
namespace {

using finding::Cause;
using finding::Finding;
using Names = std::vector<std::string>;

struct Holders {
  Names with{};
  Names without{};
};

std::map<int, Holders> holders_of(const RailsOfHosts& rails_of) {
  std::map<int, Holders> rails;
  for (const auto& [host, numbers] : rails_of) {
    for (const int rail : numbers) rails[rail];
  }
  for (auto& [rail, holders] : rails) {
    for (const auto& [host, numbers] : rails_of)
      (numbers.contains(rail) ? holders.with : holders.without).push_back(host);
  }
  return rails;
}

Finding confirmed(const std::string& check, Cause cause, finding::Location where,
                  std::string text) {
  Finding finding = finding::found(check, cause, std::move(where));
  finding.certainty = finding::Certainty::confirmed;
  finding.evidence.push_back({.text = std::move(text)});
  return finding;
}

void accuse(const std::string& check, Cause cause, int rail, const Names& odd, std::size_t like,
            std::vector<Finding>& all) {
  const bool lacks = cause == Cause::missing_rail;
  for (const std::string& host : odd) {
    Finding finding = confirmed(check, cause, {finding::Scope::port},
                                std::to_string(like) + " of " + std::to_string(like + odd.size()) +
                                    (lacks ? " hosts have this rail" : " hosts lack this rail"));
    finding.where.at = {.host = host, .rail = rail};
    if (lacks) finding.remedy = "check whether a port is down";
    all.push_back(std::move(finding));
  }
}

Finding undecided(const std::string& check, int rail, const Holders& holders) {
  Finding finding = confirmed(check, Cause::missing_rail, {finding::Scope::rail},
                              "as many hosts have it as lack it: " + holders.with.front() +
                                  " has it, " + holders.without.front() + " lacks it");
  finding.where.at.rail = rail;
  finding.detail = "hosts have different rails";
  finding.remedy = "select the same rails on all hosts";
  return finding;
}

}  // namespace

std::vector<Finding> odd_hosts(const std::string& check, const RailsOfHosts& rails_of) {
  std::vector<Finding> all;
  for (const auto& [rail, holders] : holders_of(rails_of)) {
    const std::size_t with = holders.with.size();
    const std::size_t without = holders.without.size();
    if (without == 0) continue;
    if (with > without || rails_of.size() == 2)
      accuse(check, Cause::missing_rail, rail, holders.without, with, all);
    else if (without > with)
      accuse(check, Cause::extra_nic, rail, holders.with, without, all);
    else
      all.push_back(undecided(check, rail, holders));
  }
  return all;
}

}  // namespace railgauge::checks
