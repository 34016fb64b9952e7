#include "isolation/switch_names.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "isolation/findings.hpp"

namespace railgauge::isolation {
namespace {

using Names = std::vector<std::string>;

/// Two leaves, two spines, and a third leaf, whose hosts are not here. Only leaf1 has an address of
/// its own.
const std::string kFabric = R"({"schema": "railgauge/fabric/1", "hosts": [{"name": "host0"}],
  "switches": [{"name": "leaf0"}, {"name": "leaf1", "address": "192.0.2.7"},
               {"name": "leaf2", "tier": 1}, {"name": "spine0", "tier": 2},
               {"name": "spine1", "tier": 2}],
  "links": [{"a": "host0", "a_port": "eth0", "b": "leaf0", "b_port": "h0"},
            {"a": "leaf0", "a_port": "u0", "b": "spine0", "b_port": "d0"},
            {"a": "spine1", "a_port": "d0", "b": "leaf0", "b_port": "u1"},
            {"a": "leaf1", "a_port": "u0", "b": "spine0", "b_port": "d1"},
            {"a": "leaf2", "a_port": "u0", "b": "spine0", "b_port": "d2"}]})";

Evidence evidence_of(const Names& path) {
  Evidence evidence;
  evidence.switches = path;
  Observation test;
  for (std::size_t hop = 0; hop < path.size(); ++hop) test.hops.push_back(static_cast<int>(hop));
  evidence.tests = {test};
  return evidence;
}

TEST(SwitchNames, AreOfADescription) {
  Evidence evidence = evidence_of({"10.255.1.1", "10.255.2.1", "192.0.2.7", "10.9.9.9"});
  SwitchNames(kFabric).name(evidence);
  EXPECT_EQ(evidence.switches,
            (Names{"leaf0 (10.255.1.1)", "spine0 (10.255.2.1)", "leaf1 (192.0.2.7)", "10.9.9.9"}));
}

TEST(SwitchNames, AreOfLines) {
  Evidence evidence = evidence_of({"10.0.0.1", "10.0.0.2"});
  SwitchNames("# spines\n10.0.0.2 sw-b.example  other\n\n").name(evidence);
  EXPECT_EQ(evidence.switches, (Names{"10.0.0.1", "sw-b.example (10.0.0.2)"}));
}

TEST(SwitchNames, AreOfTheResolver) {
  Evidence evidence = evidence_of({"10.0.0.1", "10.0.0.2"});
  const auto resolve = [](const std::string& address) {
    return address == "10.0.0.2" ? std::string("sw-b.example") : "";
  };
  using std::chrono::seconds;
  SwitchNames::resolved(evidence.switches, resolve, seconds(-1)).name(evidence);
  EXPECT_EQ(evidence.switches, (Names{"10.0.0.1", "10.0.0.2"})) << "no time was left";
  SwitchNames::resolved(evidence.switches, resolve, seconds(3600)).name(evidence);
  EXPECT_EQ(evidence.switches, (Names{"10.0.0.1", "sw-b.example (10.0.0.2)"}));
}

TEST(SwitchNames, OfNoAddressThereIsNone) {
  EXPECT_EQ(name_of_address(""), "");
  EXPECT_EQ(name_of_address("spine2"), "");
}

/// A spine that is down is on no path; its twin is that all are. A leaf without hosts here is not
/// missed, and without a description nothing is.
TEST(SwitchNames, MissADescribedSpineThatIsOnNoPath) {
  const SwitchNames names(kFabric);
  const Evidence down = evidence_of({"10.255.1.1", "10.255.2.1", "192.0.2.7"});
  EXPECT_EQ(names.missing(down), (Names{"spine1 (10.255.2.2)"}));
  EXPECT_EQ(names.missing(evidence_of({"10.255.1.1", "10.255.2.1", "10.255.2.2"})), Names{});
  EXPECT_EQ(names.missing(evidence_of({})), Names{});
  EXPECT_EQ(SwitchNames("10.255.2.2 spine1\n").missing(down), Names{});
  EXPECT_EQ(SwitchNames().missing(down), Names{});
}

TEST(SwitchNames, KeepTheOutcomeFromPass) {
  const Evidence evidence = evidence_of({"10.255.1.1", "10.255.2.1"});
  const Verdict healthy{.state = State::healthy, .tests = 400, .components = 200, .covered = 200};
  const auto described = SwitchNames(kFabric).missing(evidence);
  const finding::Report report = report_of(healthy, evidence, described);
  EXPECT_EQ(outcome(report), finding::Outcome::inconclusive);
  EXPECT_EQ(headline(report.findings.at(0)),
            "switch spine1 (10.255.2.2): on no path of this run (possible)");
  EXPECT_EQ(outcome(report_of(healthy, evidence)), finding::Outcome::pass);
}

TEST(SwitchNames, RefuseWhatHasNone) {
  for (const std::string text :
       {"10.0.0.1\n", "{", "{\"schema\": \"railgauge/design/1\"}",
        "{\"schema\": \"railgauge/fabric/1\", \"switches\": [{}], \"links\": []}",
        "{\"schema\": \"railgauge/fabric/1\"}", "{\"schema\": 1}"}) {
    EXPECT_THROW(SwitchNames{text}, std::runtime_error) << text;
  }
}

}  // namespace
}  // namespace railgauge::isolation
