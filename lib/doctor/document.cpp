#include "doctor/document.hpp"

#include <algorithm>
#include <stdexcept>

namespace railgauge::doctor {
namespace {

CheckSummary summary_of(const Summary& one) {
  CheckSummary summary{.name = std::string(one.check->name),
                       .group = std::string(one.check->group),
                       .level = std::string(word(one.check->level)),
                       .about = std::string(word(one.check->of)),
                       .expects = std::string(one.check->expects),
                       .verdict = one.verdict,
                       .remarks = one.remarks,
                       .waived = one.waived};
  for (std::size_t i = 0; i < one.counts.size(); ++i)
    summary.counts[std::string(word(static_cast<Verdict>(i)))] = one.counts.at(i);
  return summary;
}

}  // namespace

Document document_of(const Examination& examination) {
  Document document{.hosts = examination.hosts,
                    .ports = examination.ports,
                    .report = examination.report,
                    .policy = examination.policy};
  for (const Summary& one : examination.checks) document.checks.push_back(summary_of(one));
  return document;
}

std::vector<Verdict> verdicts_of(const CheckSummary& check, std::size_t hosts) {
  std::vector<Verdict> verdicts(hosts, Verdict::pass);
  for (const Remark& remark : check.remarks) {
    for (const std::size_t host : remark.hosts) {
      if (host >= hosts)
        throw std::runtime_error("check " + check.name + " is about host number " +
                                 std::to_string(host) + " of " + std::to_string(hosts));
      verdicts[host] = std::max(verdicts[host], remark.verdict);
    }
  }
  return verdicts;
}

}  // namespace railgauge::doctor
