#include "telemetry/signal.hpp"

#include <gtest/gtest.h>

namespace railgauge::telemetry {
namespace {

TEST(Signal, IsTheSameOfEveryDriver) {
  for (const char* name : {"np_ecn_marked_roce_packets", "RxECNMrkd", "rx_ecn_marked_pkts",
                           "rx_rdma_ecn_pkts", "cc_rx_ce_pkts", "rx_prio3_marked"})
    EXPECT_EQ(signal_of(name), Signal::mark) << name;
  for (const char* name : {"np_cnp_sent", "cnpSent", "tx_cnp_pkts", "tx_rdma_cnp_pkts"})
    EXPECT_EQ(signal_of(name), Signal::cnp_sent) << name;
  for (const char* name : {"rp_cnp_handled", "cnpHandled", "rx_cnp_pkts", "rx_rdma_cnp_pkts"})
    EXPECT_EQ(signal_of(name), Signal::cnp_received) << name;
  for (const char* name : {"rp_cnp_ignored", "cnpIgnored"})
    EXPECT_EQ(signal_of(name), Signal::cnp_ignored) << name;
  EXPECT_EQ(signal_of("rx_prio3_pause"), Signal::pause_received);
  EXPECT_EQ(signal_of("tx_prio3_pause"), Signal::pause_sent);
  EXPECT_EQ(signal_of("packet_seq_err"), Signal::loss);
  EXPECT_EQ(signal_of("rx_prio3_discards"), Signal::loss);
}

TEST(Signal, IsNoDurationGapOrTimeOut) {
  for (const char* name : {"rx_prio3_pause_duration", "out_of_sequence", "local_ack_timeout_err",
                           "port_xmit_wait", "rx_bytes", "no_such_counter"})
    EXPECT_EQ(signal_of(name), std::nullopt) << name;
}

TEST(Signals, CountTheSameFramesOnce) {
  const SignalCounts counts =
      signals_of({{"rx_prio3_pause", 7}, {"rx_pause_ctrl_phy", 7}, {"np_cnp_sent", 2}});
  EXPECT_EQ(counts[index_of(Signal::pause_received)], 7);
  EXPECT_EQ(counts[index_of(Signal::cnp_sent)], 2);
  EXPECT_EQ(counts[index_of(Signal::mark)], 0);
}

TEST(Signals, TellWhatIsNotCountedFromZero) {
  const CountedSignals counted = counted_signals({{"np_ecn_marked_roce_packets", 0}});
  EXPECT_TRUE(counted.test(index_of(Signal::mark)));
  EXPECT_FALSE(counted.test(index_of(Signal::pause_received)));
}

}  // namespace
}  // namespace railgauge::telemetry
