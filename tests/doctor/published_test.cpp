// Outputs of show_gids, ibv_devinfo, ibstat, mlnx_qos, ethtool and others that somebody posted, as
// the facts in them. Machines whose topology was published are in
// tests/topology/bundles/published.py.

#include <gtest/gtest.h>

#include <sstream>

#include "doctor/hosts.hpp"

namespace railgauge::doctor {
namespace {

struct Expected {
  const char* check;
  Verdict verdict;
};

/// What was not posted, and is made up: the PCI address; of show_gids, that the port is ACTIVE.
struct Posted {
  const char* source;
  std::string facts;  // lines of a recording
  std::vector<Expected> expected;
};

std::string pci_of(const std::string& device) {
  return "class/infiniband/" + device + "/device -> devices/pci0000:00/0000:00:01.0/0000:3b:00." +
         device.back() + "\n";
}

std::string port(const std::string& device, const std::string& state, const std::string& layer,
                 const std::string& number = "1") {
  const std::string path = "class/infiniband/" + device + "/ports/" + number + "/";
  return path + "state: " + state + "\n" + path + "link_layer: " + layer + "\n";
}

/// As show_gids shows it; without a type: ibv_devinfo of old.
std::string gid(const std::string& device, const std::string& index, const std::string& value,
                const std::string& type, const std::string& netdev) {
  const std::string path = "class/infiniband/" + device + "/ports/1/";
  const std::string own = path + "gids/" + index + ": " + value + "\n";
  if (type.empty()) return own + path + "gid_attrs/types/" + index + " ! EINVAL\n";
  return own + path + "gid_attrs/types/" + index + ": " + type + "\n" + path + "gid_attrs/ndevs/" +
         index + ": " + netdev + "\n";
}

std::string of_device(const std::string& device, const std::string& firmware,
                      const std::string& guid, const std::string& model) {
  const std::string path = "class/infiniband/" + device + "/";
  return path + "fw_ver: " + firmware + "\n" + path + "node_guid: " + guid + "\n" + path +
         "hca_type: " + model + "\n";
}

const std::string kActive = "4: ACTIVE";
const std::string kV1 = "IB/RoCE v1";
const std::string kV2 = "RoCE v2";

std::vector<Posted> of_gids() {
  using enum Verdict;
  return {
      {"github.com/IBM/SpectrumScale_NETWORK_READINESS/pull/4: show_gids, link-local ones first",
       pci_of("mlx5_0") + port("mlx5_0", kActive, "Ethernet") +
           gid("mlx5_0", "0", "fe80:0000:0000:0000:0e42:a1ff:fe5d:4db8", kV1, "ens1f0") +
           gid("mlx5_0", "1", "fe80:0000:0000:0000:0e42:a1ff:fe5d:4db8", kV2, "ens1f0") +
           gid("mlx5_0", "4", "0000:0000:0000:0000:0000:ffff:ac13:003c", kV1, "ens1f0") +
           gid("mlx5_0", "5", "0000:0000:0000:0000:0000:ffff:ac13:003c", kV2, "ens1f0"),
       {{"port-state", pass}, {"roce-gid", pass}, {"gid-address", pass}, {"mtu", unknown}}},
      {"github.com/NVIDIA/nccl/issues/1573: show_gids in a pod, where the first are of other pods",
       pci_of("mlx5_0") + port("mlx5_0", kActive, "Ethernet") +
           gid("mlx5_0", "0", "0000:0000:0000:0000:0000:0000:0000:0000", "", "") +
           gid("mlx5_0", "4", "fe80:0000:0000:0000:a4ed:ccff:fe8b:1994", kV1, "net1") +
           gid("mlx5_0", "5", "fe80:0000:0000:0000:a4ed:ccff:fe8b:1994", kV2, "net1") +
           gid("mlx5_0", "6", "0000:0000:0000:0000:0000:ffff:0a98:000c", kV1, "net1") +
           gid("mlx5_0", "7", "0000:0000:0000:0000:0000:ffff:0a98:000c", kV2, "net1"),
       {{"roce-gid", pass}, {"gid-address", pass}}},
      {"github.com/Mellanox/k8s-rdma-sriov-dev-plugin/issues/30: a pod that has no GIDs",
       pci_of("mlx5_0") + pci_of("mlx5_1") + port("mlx5_0", kActive, "Ethernet") +
           port("mlx5_1", kActive, "Ethernet"),
       {{"roce-gid", fail}, {"gid-address", fail}, {"mtu", unknown}}},
      {"github.com/Mellanox/k8s-rdma-shared-dev-plugin/issues/164: ibv_devinfo without types",
       pci_of("mlx5_0") + port("mlx5_0", kActive, "Ethernet") +
           "class/infiniband/mlx5_0/ports/1/phys_state: 5: LinkUp\n"
           "class/infiniband/mlx5_0/ports/1/rate: 25 Gb/sec (1X EDR)\n" +
           gid("mlx5_0", "14", "0000:0000:0000:0000:0000:ffff:c0a8:0606", "", "") +
           gid("mlx5_0", "15", "0000:0000:0000:0000:0000:ffff:c0a8:0606", "", ""),
       {{"roce-gid", unknown}, {"physical-state", pass}, {"link-width", pass}}},
      {"github.com/openucx/ucx/issues/11048: ibv_devinfo and ulimit with a Broadcom NIC, port down",
       pci_of("bnxt_re1") + port("bnxt_re1", "1: DOWN", "Ethernet") +
           "class/infiniband/bnxt_re1/ports/1/phys_state: 3: Disabled\n"
           "process/memlock: unlimited\nprocess/open-files: 1048576\n" +
           gid("bnxt_re1", "0", "fe80:0000:0000:0000:8e84:74ff:fe1f:2551", kV1, "ens3") +
           gid("bnxt_re1", "1", "fe80:0000:0000:0000:8e84:74ff:fe1f:2551", kV2, "ens3"),
       {{"port-state", fail},
        {"physical-state", fail},
        {"roce-gid", pass},
        {"gid-address", fail},
        {"memlock", pass},
        {"open-files", pass}}},
  };
}

std::vector<Posted> of_devices() {
  using enum Verdict;
  return {
      {"github.com/ROCm/rocm-systems/pull/3654: amd-smi of an ionic NIC that is not connected",
       pci_of("rocep229s0") + port("rocep229s0", "1: DOWN", "Ethernet") +
           of_device("rocep229s0", "1.110.1-a-1", "0690:81ff:fe2c:77b0", "AINIC") +
           gid("rocep229s0", "0", "fe80:0000:0000:0000:0690:81ff:fe2c:77b0", kV2, "enp229s0") +
           "class/net/enp229s0/carrier: 0\nclass/net/enp229s0/mtu: 1500\n"
           "class/net/enp229s0/operstate: down\nclass/net/enp229s0/speed: 0\n"
           "class/net/enp229s0/address: 04:90:81:2c:77:b0\n"
           "ethtool/enp229s0/fec: off\nethtool/enp229s0/pause: rx off tx off\n"
           "dcb/enp229s0/pfc ! EOPNOTSUPP\n",
       {{"port-state", fail},
        {"carrier", fail},
        {"operating-state", fail},
        {"mtu", warn},
        {"node-guid", pass},
        {"mac", pass},
        {"port-speed", unknown},
        {"fec", unknown},
        {"pfc", skip}}},
      {"github.com/deepseek-ai/DeepEP/issues/60: ibv_devinfo of two models, of which one is down",
       pci_of("mlx5_12") + pci_of("mlx5_13") + port("mlx5_12", "1: DOWN", "Ethernet") +
           port("mlx5_13", kActive, "InfiniBand") +
           of_device("mlx5_12", "22.38.1900", "a088:c203:0030:9a0d", "MT4125") +
           of_device("mlx5_13", "28.39.2048", "58a2:e103:002a:1640", "MT4129") +
           "class/infiniband/mlx5_12/board_id: MT_0000000436\n"
           "class/infiniband/mlx5_13/board_id: MT_0000000838\n",
       {{"port-state", fail}, {"firmware", pass}, {"board", pass}, {"node-guid", pass}}},
      {"github.com/NVIDIA/l2fwd-nv/issues/6: ibstat of both ports of a ConnectX-6 Dx",
       pci_of("mlx5_0") + pci_of("mlx5_1") + port("mlx5_0", kActive, "Ethernet") +
           port("mlx5_1", kActive, "Ethernet") +
           of_device("mlx5_0", "22.32.2004", "0c42:a103:001d:d12a", "MT4125") +
           of_device("mlx5_1", "22.32.2004", "0c42:a103:001d:d12b", "MT4125"),
       {{"port-state", pass}, {"firmware", pass}, {"node-guid", pass}, {"board", unknown}}},
      {"github.com/linux-rdma/rdma-core/pull/847: ibstat of an InfiniBand card, of which a port is "
       "down",
       pci_of("mlx4_0") + port("mlx4_0", "1: DOWN", "InfiniBand") +
           port("mlx4_0", kActive, "InfiniBand", "2") +
           of_device("mlx4_0", "2.42.5000", "f452:1403:007b:e0e0", "MT4099") +
           "class/infiniband/mlx4_0/ports/1/phys_state: 3: Disabled\n"
           "class/infiniband/mlx4_0/ports/2/phys_state: 5: LinkUp\n",
       {{"port-state", fail}, {"physical-state", fail}, {"roce-gid", skip}, {"mtu", skip}}},
      {"github.com/amzn/amzn-drivers/issues/114: ibstat of an EFA, which has no GUID",
       "class/infiniband/efa_0/device -> devices/pci0000:00/0000:00:07.0\n" +
           port("efa_0", kActive, "Unknown") +
           "class/infiniband/efa_0/ports/1/phys_state: 5: LinkUp\n"
           "class/infiniband/efa_0/node_guid: 0000:0000:0000:0000\n",
       {{"port-state", pass}, {"physical-state", pass}, {"node-guid", skip}, {"roce-gid", skip}}},
      {"github.com/SoftRoCE/rxe-dev/issues/46: ibv_devinfo of rxe",
       port("rxe0", kActive, "Ethernet") + of_device("rxe0", "0.0.0", "428d:5cff:fe35:bb12", ""),
       {{"port-state", pass}, {"pcie-width", skip}, {"port-speed", skip}, {"roce-gid", fail}}},
      {"github.com/isc-projects/ethq/issues/8: ethtool -i of a ConnectX-4",
       pci_of("mlx5_0") + port("mlx5_0", kActive, "Ethernet") +
           gid("mlx5_0", "0", "0000:0000:0000:0000:0000:ffff:c0a8:0001", kV2, "eth0") +
           "ethtool/eth0/driver-version: mlx5_core 5.0-0\n"
           "class/infiniband/mlx5_0/fw_ver: 14.23.1020\n"
           "class/infiniband/mlx5_0/board_id: MT_2420110034\n",
       {{"driver-version", pass}, {"firmware", pass}, {"board", pass}, {"pfc", unknown}}},
  };
}

/// Of eth2, with one port on it.
std::string of_qos(const std::string& lines) {
  return pci_of("mlx5_0") + port("mlx5_0", kActive, "Ethernet") +
         gid("mlx5_0", "0", "0000:0000:0000:0000:0000:ffff:c0a8:0001", kV2, "eth2") + lines;
}

std::string every_dscp() {
  std::string map = "dcb/eth2/dscp-to-priority:";
  for (int dscp = 0; dscp < 64; ++dscp)
    map += " " + std::to_string(dscp) + ":" + std::to_string(dscp / 8);
  return map + "\n";
}

std::vector<Posted> of_qos() {
  using enum Verdict;
  return {
      {"community.mellanox.com/docs/DOC-2792: mlnx_qos with PFC on four priorities",
       of_qos(every_dscp() + "dcb/eth2/owner: host\ndcb/eth2/pfc: 0 2 6 7\n"),
       {{"trust", pass}, {"dcb-owner", pass}, {"pfc", warn}, {"dscp-map", skip}}},
      {"community.mellanox.com/docs/DOC-2792: the same after mlnx_qos -f 0,0,0,1,0,0,0,0",
       of_qos(every_dscp() + "dcb/eth2/owner: host\ndcb/eth2/pfc: 3\n"),
       {{"trust", pass}, {"pfc", pass}, {"dscp-map", pass}, {"buffer", unknown}}},
      {"kubernetes.recipes, ETS, PFC, DSCP trust on Mellanox: mlnx_qos before anything is set",
       of_qos("dcb/eth2/dscp-to-priority: none\ndcb/eth2/pfc: none\n"),
       {{"trust", warn}, {"pfc", warn}, {"dscp-map", skip}}},
      {"github.com/NVIDIA/daqiri/issues/250: ethtool -a with pause on, which took a fifth of 400 "
       "Gb/s",
       of_qos("ethtool/eth2/pause: rx on tx on\ndcb/eth2/pfc: 3\nclass/net/eth2/speed: 400000\n"),
       {{"pause", fail}, {"port-speed", pass}}},
  };
}

topology::Recording recording_of(const Posted& posted) {
  std::istringstream text("railgauge host 1\nhost: posted\n" + posted.facts + "hwloc: none\n");
  return topology::parse_recording(text);
}

class Published : public ::testing::TestWithParam<Posted> {};

/// All other checks say that they do not know.
TEST_P(Published, IsJudgedAsItIs) {
  const Document found = examined({recording_of(GetParam())});
  for (const Expected& one : GetParam().expected) {
    const CheckSummary& summary = summary_of(found, one.check);
    EXPECT_EQ(word(summary.verdict), word(one.verdict))
        << one.check << " of " << GetParam().source
        << (summary.remarks.empty() ? "" : ": " + summary.remarks.front().text);
  }
  EXPECT_NE(outcome(found.report, found.policy), finding::Outcome::pass);
  EXPECT_GT(found.report.coverage.size(), 100U);
}

INSTANTIATE_TEST_SUITE_P(OfGids, Published, ::testing::ValuesIn(of_gids()));
INSTANTIATE_TEST_SUITE_P(OfDevices, Published, ::testing::ValuesIn(of_devices()));
INSTANTIATE_TEST_SUITE_P(OfQos, Published, ::testing::ValuesIn(of_qos()));

}  // namespace
}  // namespace railgauge::doctor
