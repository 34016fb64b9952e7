#include <gtest/gtest.h>

#include "doctor/hosts.hpp"

namespace railgauge::doctor {
namespace {

TEST(Drivers, HealthyHostsPass) {
  for (const Machine& one : machines()) {
    const Document found = examined(fleet(one, 4));
    EXPECT_EQ(troubles(found), "") << one.name;
    EXPECT_EQ(outcome(found.report, found.policy), finding::Outcome::pass) << one.name;
    EXPECT_TRUE(found.report.findings.empty()) << one.name;
  }
}

TEST(Drivers, OneOfFourHostsFailsAndIsNamed) {
  for (const Machine& one : machines()) {
    auto hosts = fleet(one, 4);
    hosts[2].files["class/infiniband/" + one.device + "1/ports/1/state"] = "1: DOWN";
    hosts[2].files["process/memlock"] = "65536";
    const Document found = examined(std::move(hosts));
    EXPECT_EQ(outcome(found.report, found.policy), finding::Outcome::fail) << one.name;
    const CheckSummary& state = summary_of(found, "port-state");
    ASSERT_EQ(state.verdict, Verdict::fail) << one.name;
    EXPECT_EQ(state.counts.at("FAIL"), 1U) << one.name;
    EXPECT_EQ(state.remarks.at(0).places.at(0).substr(0, 6 + one.device.size()),
              "node3 " + one.device);
    const CheckSummary& memlock = summary_of(found, "memlock");
    const bool locks = one.name != "softroce";
    EXPECT_EQ(word(memlock.verdict), locks ? "FAIL" : "SKIP") << one.name;
    EXPECT_EQ(memlock.remarks.at(0).places.at(0), locks ? "node3" : "node1") << one.name;
  }
}

/// A soft device takes nothing from the rule of the NIC next to it.
TEST(Drivers, LockMemoryNextToASoftDevice) {
  auto host = healthy(machine("mlx5"));
  host.files["class/infiniband/soft0/hca_type"] = "softroce";
  host.files["process/memlock"] = "65536";
  EXPECT_EQ(summary_of(examined({host}), "memlock").verdict, Verdict::fail);
  host.files["process/memlock"] = "unlimited";
  EXPECT_EQ(summary_of(examined({host}), "memlock").verdict, Verdict::pass);
}

/// What a device or a virtual machine does not have is skipped, with the reason.
TEST(Drivers, SkipWhatTheyDoNotHave) {
  const Document rxe = examined(fleet(machine("rxe"), 2));
  for (const char* const name : {"pcie-speed", "pfc", "ecn-sender", "fec", "verbs-access"}) {
    EXPECT_EQ(summary_of(rxe, name).verdict, Verdict::skip) << name;
    EXPECT_EQ(summary_of(rxe, name).remarks.at(0).text, "it is a software device") << name;
  }
  const Document mana = examined(fleet(machine("mana"), 2));
  for (const char* const name : {"governor", "pcie-speed", "pcie-capacity", "steady-tsc"})
    EXPECT_EQ(summary_of(mana, name).verdict, Verdict::skip) << name;
  EXPECT_EQ(summary_of(examined(fleet(machine("efa"), 2)), "roce-gid").remarks.at(0).text,
            "its link layer is Unknown");
  EXPECT_EQ(summary_of(examined(fleet(machine("irdma"), 2)), "ecn-receiver").remarks.at(0).text,
            "only the driver mlx5 shows it");
}

}  // namespace
}  // namespace railgauge::doctor
