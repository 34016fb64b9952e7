#include "benchmarks/railgauge/doctor_metrics.hpp"

#include <array>

#include "metrics/registry.hpp"

namespace railgauge::benchmarks {
namespace {

using doctor::Verdict;
using finding::Outcome;
using metrics::Metric;

constexpr Metric kOutcome{"railgauge_doctor_outcome", metrics::Kind::gauge,
                          "1 for the outcome of the examination."};
constexpr Metric kSubjects{"railgauge_doctor_subjects", metrics::Kind::gauge,
                           "Hosts, devices or ports with this verdict of a check."};
constexpr Metric kTrouble{"railgauge_doctor_trouble", metrics::Kind::gauge,
                          "1 for a check of a host that is WARN, FAIL or UNKNOWN.", true};
constexpr Metric kHosts{"railgauge_doctor_hosts", metrics::Kind::gauge, "Hosts examined."};
constexpr Metric kTime{"railgauge_doctor_timestamp_seconds", metrics::Kind::gauge,
                       "When the hosts were examined."};

constexpr std::array kVerdicts{Verdict::pass, Verdict::warn, Verdict::fail, Verdict::unknown,
                               Verdict::skip};

void add_check(metrics::Registry& registry, const doctor::CheckSummary& summary,
               const std::vector<std::string>& hosts) {
  for (const Verdict verdict : kVerdicts) {
    registry.set(kSubjects,
                 {{"check", summary.name}, {"verdict", std::string(doctor::word(verdict))}},
                 static_cast<double>(summary.counts.at(std::string(doctor::word(verdict)))));
  }
  if (!summary.waived.empty()) return;
  for (const doctor::Remark& remark : summary.remarks) {
    if (remark.verdict == Verdict::skip) continue;
    for (const std::size_t host : remark.hosts) {
      registry.set(kTrouble,
                   {{"check", summary.name},
                    {"host", hosts.at(host)},
                    {"verdict", std::string(doctor::word(remark.verdict))}},
                   1);
    }
  }
}

}  // namespace

metrics::Snapshot snapshot_of(const doctor::Document& found,
                              std::chrono::system_clock::time_point now) {
  metrics::Registry registry;
  const Outcome decided = outcome(found.report, found.policy);
  for (const Outcome one : {Outcome::pass, Outcome::fail, Outcome::inconclusive})
    registry.set(kOutcome, {{"outcome", std::string(word(one))}}, one == decided ? 1 : 0);
  registry.set(kHosts, {}, static_cast<double>(found.hosts.size()));
  registry.set(kTime, {}, std::chrono::duration<double>(now.time_since_epoch()).count());
  for (const doctor::CheckSummary& summary : found.checks)
    add_check(registry, summary, found.hosts);
  return registry.snapshot();
}

}  // namespace railgauge::benchmarks
