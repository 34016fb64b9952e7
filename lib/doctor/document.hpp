#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "doctor/check.hpp"
#include "doctor/examination.hpp"
#include "finding/outcome.hpp"

namespace railgauge::doctor {

/// What a document has of one check.
struct CheckSummary {
  std::string name{};
  std::string group{};
  std::string level{};
  std::string about{};  ///< "host", "device", "port", "fabric"
  std::string expects{};
  Verdict verdict = Verdict::unknown;
  std::map<std::string, std::uint64_t> counts{};  ///< [word of a verdict] subjects
  std::vector<Remark> remarks{};
  std::string waived{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("name", self.name);
    visit("group", self.group);
    visit("level", self.level);
    visit("about", self.about);
    visit("expects", self.expects);
    visit.required("verdict", self.verdict);
    visit("counts", self.counts);
    visit.required("remarks", self.remarks);
    visit("waived", self.waived);
  }
};

/// What `railgauge doctor --json` writes: results-schema/railgauge-doctor-1.schema.json.
struct Document {
  std::vector<std::string> hosts{};
  std::uint64_t ports = 0;
  std::vector<CheckSummary> checks{};
  finding::Report report{};
  finding::Policy policy{};  ///< its waivers

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

[[nodiscard]] Document document_of(const Examination& examination);

/// [host] The verdict of a check on every host: the worst of its remarks; PASS of a host that none
/// is about. Throws std::runtime_error, which names the check, if it is about a host that the
/// document does not have.
[[nodiscard]] std::vector<Verdict> verdicts_of(const CheckSummary& check, std::size_t hosts);

}  // namespace railgauge::doctor
