#include "experiments/congestion/telemetry_names.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using Meaning = TelemetryMeaning;

const TelemetryTags kPort{{"interface_name", "Ethernet1"}, {"source", "leaf1"}};

TelemetryTags queue(const std::string& name, const std::string& key = "queue_name") {
  return {{"interface_interface-id", "Ethernet1"}, {key, name}, {"source", "leaf1"}};
}

void expect(const std::string& name, const TelemetryTags& tags, Meaning meaning, int priority) {
  const auto value = telemetry_value(name, tags);
  ASSERT_TRUE(value) << name;
  EXPECT_EQ(value->meaning, meaning) << name;
  EXPECT_EQ(value->priority, priority) << name;
  EXPECT_EQ(value->port, "Ethernet1") << name;
}

/// Its values have the container of the path again.
constexpr const char* kSonic =
    "/openconfig-interfaces:interfaces/interface/state/counters/openconfig-interfaces:counters/"
    "out-pkts";

TEST(TelemetryNames, OfOpenConfigMayHaveAnOriginAndModules) {
  for (const std::string name :
       {"/interfaces/interface/state/counters/out-pkts",
        "interfaces/interface/state/counters/out-pkts",
        "openconfig:/interfaces/interface/state/counters/out-pkts",
        "/openconfig:/interfaces/interface/state/counters/out-pkts",
        "/openconfig-interfaces:interfaces/interface/state/counters/out-pkts",
        "/openconfig-interfaces:interfaces/interface/state/openconfig-interfaces:counters/out-pkts",
        kSonic})
    expect(name, kPort, Meaning::packets_sent, -1);
  expect("/interfaces/interface/state/counters/in-unicast-pkts", kPort, Meaning::packets_received,
         -1);
  expect("/lldp/interfaces/interface/neighbors/neighbor/state/system-name", kPort,
         Meaning::neighbour, -1);
}

TEST(TelemetryNames, OfQueuesTellThePriority) {
  const std::string marks = "/qos/interfaces/interface/output/queues/queue/state/ecn-marked-pkts";
  expect(marks, queue("3"), Meaning::marks, 3);
  expect(marks, queue("UC5"), Meaning::marks, 5);
  expect(marks, queue("Ethernet1:4"), Meaning::marks, 4);
  expect(marks, queue("AF3"), Meaning::marks, -1);
  expect(marks, queue("3000000000000"), Meaning::marks, -1);
  EXPECT_FALSE(telemetry_value(marks, kPort)) << "of which queue?";
  expect("/qos/interfaces/interface/output/queues/queue/state/dropped-pkts", queue("0"),
         Meaning::drops_sending, 0);
}

TEST(TelemetryNames, OfPfcOfCumulusLinuxAndSonic) {
  const TelemetryTags priority = queue("3", "switch-priority_priority");
  expect("/qos/interfaces/interface/state/switch-priority/counters/in-pause-pkts", priority,
         Meaning::pauses_received, 3);
  expect("/qos/interfaces/interface/switch-priority/state/counters/out-pause-pkts", priority,
         Meaning::pauses_sent, 3);
  expect(
      "/openconfig-qos:qos/interfaces/interface/openconfig-qos-ext:pfc/pfc-priorities/pfc-priority/"
      "state/statistics/pause-frames-tx",
      queue("3", "pfc-priority_dot1p"), Meaning::pauses_sent, 3);
}

TEST(TelemetryNames, OfSonicsCountersHavePortAndQueueInThePath) {
  expect("/COUNTERS/Ethernet1/SAI_PORT_STAT_PFC_3_RX_PKTS", {}, Meaning::pauses_received, 3);
  expect("/COUNTERS/Ethernet*/Ethernet1/SAI_PORT_STAT_PFC_4_TX_PKTS", {}, Meaning::pauses_sent, 4);
  expect("/COUNTERS/Ethernet*/Queues/Ethernet1:3/SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS", {},
         Meaning::marks, 3);
  expect("/LLDP_ENTRY_TABLE/Ethernet1/lldp_rem_sys_name", {}, Meaning::neighbour, -1);
}

TEST(TelemetryNames, OfSrLinux) {
  expect("/srl_nokia-interfaces:interface/statistics/out-packets", kPort, Meaning::packets_sent,
         -1);
  expect(
      "/srl_nokia-qos:qos/interfaces/interface/output/queues/queue/queue-statistics/"
      "aggregate-statistics/dropped-packets",
      queue("unicast-3", "queue_queue-name"), Meaning::drops_sending, 3);
  expect("/srl_nokia-system:system/srl_nokia-lldp:lldp/interface/neighbor/system-name", kPort,
         Meaning::neighbour, -1);
}

TEST(TelemetryNames, OfSomethingElseMeanNothing) {
  for (const std::string name :
       {"/interfaces/interface/state/counters/out-octets", "out-pkts", "",
        "/COUNTERS/Ethernet1/SAI_PORT_STAT_PFC_3_ON2OFF_RX_PKTS",
        "/COUNTERS/Ethernet1/SAI_PORT_STAT_PFC_3_RX_PAUSE_DURATION", "SAI_QUEUE_STAT_PACKETS",
        "/interface/subinterface/statistics/out-packets"})
    EXPECT_FALSE(telemetry_value(name, kPort)) << name;
  EXPECT_FALSE(telemetry_value("/interfaces/interface/state/counters/out-pkts", {}))
      << "of which port?";
}

}  // namespace
}  // namespace railgauge::runner
