#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "doctor/check.hpp"
#include "finding/outcome.hpp"
#include "json/members.hpp"

namespace railgauge::doctor {

/// Equal answers to one check.
struct Remark {
  Verdict verdict = Verdict::pass;
  std::string text{};                 ///< "PCIe link width is x8, expected x16 (...)"
  std::size_t count = 0;              ///< subjects
  std::vector<std::string> places{};  ///< the first of them
  std::vector<std::size_t> hosts{};   ///< all that it is about, by their place among the hosts

  /// "host0 mlx5_0 and 3 more", "fabric"
  [[nodiscard]] std::string where() const;

  RAILGAUGE_FIELDS((verdict), text, count, places, (hosts))
};

/// What one check said.
struct CheckSummary {
  std::string name{};
  std::string group{};
  std::string level{};
  std::string about{};  ///< "host", "device", "port", "fabric"
  std::string expects{};
  Verdict verdict = Verdict::unknown;             ///< the worst; SKIP: it applied nowhere
  std::map<std::string, std::uint64_t> counts{};  ///< [word of a verdict] subjects
  std::vector<Remark> remarks{};                  ///< of all but PASS, the worst first
  std::string waived{};                           ///< why it does not decide

  RAILGAUGE_FIELDS((name), group, level, about, expects, (verdict), counts, (remarks), waived)
};

/// What all of them said, and `railgauge doctor --json` writes:
/// results-schema/railgauge-doctor-1.schema.json.
struct Document {
  std::vector<std::string> hosts{};
  std::uint64_t ports = 0;  ///< that are needed
  std::vector<CheckSummary> checks{};
  finding::Report report{};  ///< WARN and FAIL as findings, ranked; UNKNOWN as what was not tested
  finding::Policy policy{};  ///< for finding::outcome(): the waivers

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.schema("railgauge/doctor/1");
    visit.computed("kind", std::string("doctor"));
    visit.required("hosts", self.hosts);
    visit("ports", self.ports);
    visit.computed("outcome", std::string(word(outcome(self.report, self.policy))));
    visit.computed("drain_reason", drain_reason(self.report, self.policy));
    visit.required("checks", self.checks);
    visit.required("findings", self.report.findings);
    visit.required("coverage", self.report.coverage);
    visit("waivers", self.policy.waivers);
  }
};

/// Runs checks over hosts. What is not known counts as not tested, so that finding::outcome() is
/// never PASS; a waiver that names the check accepts it. Equal findings of more than a few hosts
/// become one. A pure function.
[[nodiscard]] Document examine(const Hosts& hosts, const std::vector<const Check*>& checks,
                               const Expectations& wanted);

/// [host] The verdict of a check on every host: the worst of its remarks; PASS of a host that none
/// is about. Throws std::runtime_error, which names the check, if it is about a host that the
/// document does not have.
[[nodiscard]] std::vector<Verdict> verdicts_of(const CheckSummary& check, std::size_t hosts);

/// What a sentence says behind its place: ": ..."
[[nodiscard]] std::string words_behind(finding::Finding finding);

}  // namespace railgauge::doctor
