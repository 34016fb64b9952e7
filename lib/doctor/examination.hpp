#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "doctor/check.hpp"
#include "finding/outcome.hpp"

namespace railgauge::doctor {

/// Equal answers to one check.
struct Remark {
  Verdict verdict = Verdict::pass;
  std::string text{};                 ///< "PCIe link width is x8, expected x16 (...)"
  std::size_t count = 0;              ///< subjects
  std::vector<std::string> places{};  ///< the first of them
  std::vector<std::size_t> hosts{};   ///< all that it is about, by their place among the hosts

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("verdict", self.verdict);
    visit("text", self.text);
    visit("count", self.count);
    visit("places", self.places);
    visit.required("hosts", self.hosts);
  }
};

/// What one check said.
struct Summary {
  const Check* check = nullptr;
  Verdict verdict = Verdict::pass;      ///< the worst; SKIP: it applied nowhere
  std::array<std::size_t, 5> counts{};  ///< [Verdict] subjects
  std::vector<Remark> remarks{};        ///< of all but PASS, the worst first
  std::string waived{};                 ///< why it does not decide
};

/// What all of them said.
struct Examination {
  std::vector<std::string> hosts{};
  std::size_t ports = 0;  ///< that are needed
  std::vector<Summary> checks{};
  finding::Report report{};  ///< WARN and FAIL as findings, ranked; UNKNOWN as what was not tested
  finding::Policy policy{};  ///< for finding::outcome(): the waivers
};

/// Runs checks over hosts. What is not known counts as not tested, so that finding::outcome() is
/// never PASS; a waiver that names the check accepts it. Equal findings of more than a few hosts
/// become one. A pure function.
[[nodiscard]] Examination examine(const Hosts& hosts, const std::vector<const Check*>& checks,
                                  const Expectations& wanted);

}  // namespace railgauge::doctor
