#include <gtest/gtest.h>

#include "doctor/history.hpp"
#include "doctor/hosts.hpp"

namespace railgauge::doctor {
namespace {

using topology::Recording;

constexpr const char* kUptime = "proc/uptime";
constexpr const char* kBoot = "proc/sys/kernel/random/boot_id";

/// Counters that never move, of each class one, as mlx5 names them; and some that do.
void put_counters(Recording& host, const Machine& of, std::uint64_t packets) {
  for (const char* const port : {"0", "1"}) {
    const std::string path = "counters/" + of.device + port + "/1";
    host.files[path] = "15";
    for (const char* const name :
         {"packet_seq_err", "out_of_sequence", "req_transport_retries_exceeded",
          "rx_icrc_encapsulated", "link_downed", "symbol_error", "rx_prio3_pause",
          "pfc_indications_prio3", "rx_prio3_pause_duration", "rp_cnp_ignored",
          "outbound_pci_buffer_overflow", "rx_oversize_pkts_phy", "out_of_buffer", "req_cqe_error",
          "local_ack_timeout_err"})
      host.files[path + "/" + name] = "4000000000";  // since boot
    host.files[path + "/rx_packets"] = std::to_string(packets);
    host.files[path + "/np_ecn_marked_roce_packets"] = std::to_string(packets);
  }
}

struct TwoRecordings {
  std::vector<Recording> before{};
  std::vector<Recording> after{};
};

/// Two hosts, and an hour in which they carried packets and nothing was wrong.
TwoRecordings an_hour(const Machine& of = machine("mlx5")) {
  TwoRecordings pair{fleet(of, 2), fleet(of, 2)};
  for (auto* const hosts : {&pair.before, &pair.after}) {
    const bool later = hosts == &pair.after;
    for (Recording& host : *hosts) {
      host.files[kUptime] = later ? "13600.00 1.0" : "10000.00 1.0";
      host.files[kBoot] = "boot of " + host.host;
      put_counters(host, of, later ? 9000000 : 1000);
    }
  }
  return pair;
}

Document compared(TwoRecordings pair, const Expectations& wanted = {}) {
  std::vector<HostFacts> after;
  std::vector<HostFacts> before;
  for (Recording& one : pair.after) after.push_back(facts_of(std::move(one)));
  for (Recording& one : pair.before) before.push_back(facts_of(std::move(one)));
  Hosts hosts = understood(std::move(after), {});
  compare_counters(hosts, std::move(before));
  return examine(hosts, named("counters"), wanted);
}

/// "lost-packets FAIL": checks with a verdict worse than SKIP.
std::string verdicts(const Document& found) {
  std::string text;
  for (const CheckSummary& one : found.checks) {
    if (one.verdict <= Verdict::skip) continue;
    text += (text.empty() ? "" : ", ") + one.name + " ";
    text += word(one.verdict);
  }
  return text;
}

struct MovedCounter {
  const char* check;
  const char* counter;
  const char* value;  // it was 4000000000
  Verdict verdict;
  const char* says;
};

const std::vector<MovedCounter> kMoved{
    {"lost-packets", "packet_seq_err", "4000000360", Verdict::fail, "360 in 3600 s (0.1 a second)"},
    {"lost-packets", "out_of_sequence", "4000000001", Verdict::warn, "or packets overtook"},
    {"lost-packets", "out_of_sequence", "104", Verdict::warn, "294967400 in 3600 s"},  // it wraps
    {"exhausted-retries", "req_transport_retries_exceeded", "4000000001", Verdict::fail, "1 in"},
    {"corrupted-packets", "rx_icrc_encapsulated", "4000000001", Verdict::fail, "1 in"},
    {"link-events", "link_downed", "4000000002", Verdict::fail, "2 in 3600 s"},
    {"symbol-errors", "symbol_error", "4000000077", Verdict::fail, "77 in 3600 s"},
    {"symbol-errors", "fec_uncorrectable_blocks", "40", Verdict::fail, "28 in 3600 s"},
    {"pause-time", "rx_prio3_pause_duration", "4072000000", Verdict::warn, "2.0 % of 3600 s"},
    {"ignored-cnps", "rp_cnp_ignored", "4000000005", Verdict::warn, "5 in 3600 s"},
    {"host-stalls", "outbound_pci_buffer_overflow", "4000000005", Verdict::warn, "5 in"},
    {"oversize-packets", "rx_oversize_pkts_phy", "4000000005", Verdict::warn, "5 in"},
    {"receiver-not-ready", "out_of_buffer", "4000000005", Verdict::warn, "5 in"},
    {"refused-requests", "req_cqe_error", "4000000005", Verdict::warn, "5 in"},
    {"link-events", "link_downed", "5", Verdict::unknown, "link_downed was reset"},
    {"pause-time", "rx_prio3_pause", "5", Verdict::unknown, "rx_prio3_pause was reset"},
    {"pause-time", "pfc_indications_prio3", "5", Verdict::unknown, "_prio3 was reset"},
};

TEST(CounterChecks, NameWhatMovedAndItsPort) {
  for (const MovedCounter& one : kMoved) {
    TwoRecordings pair = an_hour();
    pair.after[1].files["counters/mlx5_1/1/" + std::string(one.counter)] = one.value;
    const Document found = compared(std::move(pair));
    EXPECT_EQ(verdicts(found), std::string(one.check) + " " + std::string(word(one.verdict)));
    const CheckSummary& summary = summary_of(found, one.check);
    ASSERT_FALSE(summary.remarks.empty()) << one.check;
    EXPECT_NE(summary.remarks[0].text.find(one.says), std::string::npos) << summary.remarks[0].text;
    EXPECT_EQ(summary.remarks[0].places.at(0).substr(0, 12), "node2 mlx5_1") << one.check;
    EXPECT_EQ(outcome(found.report) == finding::Outcome::pass, one.verdict == Verdict::warn);
  }
}

/// A driver has its PFC frames in netlink alone, which is recorded once one was counted.
TEST(CounterChecks, PfcFramesOfNetlinkBeginAtZero) {
  TwoRecordings pair = an_hour();
  const auto counted = [](const auto& file) {
    return file.first.find("/mlx5_0/") != std::string::npos &&
           (file.first.find("pause") != std::string::npos ||
            file.first.find("pfc_") != std::string::npos);
  };
  for (auto* const hosts : {&pair.before, &pair.after})
    for (Recording& host : *hosts) std::erase_if(host.files, counted);
  EXPECT_EQ(summary_of(compared(pair), "pause-time").counts.at("SKIP"), 2U);  // of mlx5_0
  pair.after[0].files["counters/mlx5_0/1/pfc_requests_prio3"] = "5000";
  const Document found = compared(pair);
  EXPECT_EQ(summary_of(found, "pause-time").counts.at("PASS"), 3U);
  EXPECT_EQ(summary_of(found, "pause-time").counts.at("SKIP"), 1U);
}

TEST(CounterChecks, AFindingHasItsCountersAsEvidence) {
  TwoRecordings pair = an_hour();
  pair.after[0].files["counters/mlx5_0/1/link_downed"] = "4000000002";
  const Document found = compared(std::move(pair));
  ASSERT_EQ(found.report.findings.size(), 1U);
  EXPECT_NE(sentence(found.report.findings[0]).find("link_downed 2"), std::string::npos);
  EXPECT_EQ(remedy_of(found.report.findings[0]).find('{'), std::string::npos);
}

TEST(CounterChecks, AreSilentOnHealthyHostsWhateverTheyCountedSinceBoot) {
  for (const Machine& one : machines()) {
    const Document found = compared(an_hour(one));
    EXPECT_EQ(troubles(found), "") << one.name;
    EXPECT_EQ(outcome(found.report, found.policy), finding::Outcome::pass) << one.name;
  }
}

/// A busy machine is late; that says nothing of its network.
TEST(CounterChecks, ASoftwareDeviceMayTimeOut) {
  TwoRecordings pair = an_hour(machine("rxe"));
  pair.after[0].files["counters/rxe0/1/local_ack_timeout_err"] = "4000000100";
  EXPECT_EQ(troubles(compared(pair)), "");
  pair.after[0].files["counters/rxe0/1/packet_seq_err"] = "4000000100";
  EXPECT_EQ(verdicts(compared(pair)), "lost-packets FAIL");
}

TEST(CounterChecks, ASiteWithoutPfcAcceptsLosses) {
  TwoRecordings pair = an_hour();
  pair.after[0].files["counters/mlx5_0/1/packet_seq_err"] = "4000000100";
  Expectations lossy;
  lossy.pfc = false;
  EXPECT_EQ(verdicts(compared(pair, lossy)), "lost-packets WARN");
}

std::string why_unknown(TwoRecordings pair) {
  const Document found = compared(std::move(pair));
  const CheckSummary& summary = summary_of(found, "link-events");
  EXPECT_NE(outcome(found.report), finding::Outcome::pass);
  return std::string(word(summary.verdict)) + ": " + summary.remarks.at(0).text;
}

TEST(CounterChecks, WhatCannotBeComparedIsUnknown) {
  TwoRecordings pair = an_hour();
  pair.before.pop_back();
  EXPECT_EQ(why_unknown(pair), "UNKNOWN: no earlier recording of this host");
  pair = an_hour();
  pair.after[0].files[kBoot] = "another";
  EXPECT_NE(why_unknown(pair).find("UNKNOWN: the host restarted"), std::string::npos);
  pair = an_hour();
  pair.after[0].files[kUptime] = "10000.00 1.0";
  EXPECT_NE(why_unknown(pair).find("UNKNOWN: the recording of --from is no later"),
            std::string::npos);
  pair = an_hour();
  pair.before[0].files.erase("counters/mlx5_0/1");
  EXPECT_NE(why_unknown(pair).find("UNKNOWN: not recorded: counters of mlx5_0"), std::string::npos);
  pair = an_hour();
  pair.after[0].files.erase(kUptime);
  EXPECT_NE(why_unknown(pair).find("UNKNOWN: not recorded: /proc/uptime"), std::string::npos);
}

TEST(CounterChecks, WhatADriverDoesNotCountIsSkipped) {
  TwoRecordings pair = an_hour();
  for (auto* const hosts : {&pair.before, &pair.after}) {
    for (Recording& host : *hosts) {
      for (const std::string path : {"counters/mlx5_0/1/", "counters/mlx5_1/1/"}) {
        host.files.erase(path + "symbol_error");
        host.files.erase(path + "fec_uncorrectable_blocks");
      }
    }
  }
  const Document found = compared(std::move(pair));
  EXPECT_EQ(summary_of(found, "symbol-errors").verdict, Verdict::skip);
  EXPECT_EQ(outcome(found.report), finding::Outcome::pass);
}

}  // namespace
}  // namespace railgauge::doctor
