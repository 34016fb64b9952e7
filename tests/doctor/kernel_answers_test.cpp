#include "doctor/kernel_answers.hpp"

#include <gtest/gtest.h>
#include <linux/dcbnl.h>
#include <linux/devlink.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include <cstring>

#include "doctor/reader.hpp"

namespace railgauge::doctor {
namespace {

using Bytes = std::vector<std::byte>;

template <class T>
Bytes bytes_of(const T& value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

void append(Bytes& to, const Bytes& more) {
  to.insert(to.end(), more.begin(), more.end());
  to.resize(NLA_ALIGN(to.size()));
}

Bytes attribute(std::uint16_t type, const Bytes& value) {
  Bytes all = bytes_of(nlattr{static_cast<std::uint16_t>(NLA_HDRLEN + value.size()), type});
  append(all, value);
  return all;
}

Bytes reply_with(const std::vector<Bytes>& attributes) {
  Bytes reply = bytes_of(nlmsghdr{});
  append(reply, bytes_of(dcbmsg{}));
  for (const Bytes& one : attributes) append(reply, one);
  return reply;
}

Bytes app(std::uint8_t selector, std::uint8_t priority, std::uint16_t protocol) {
  return attribute(DCB_ATTR_IEEE_APP, bytes_of(dcb_app{selector, priority, protocol}));
}

Bytes pfc(std::uint16_t type, std::uint8_t enabled) {
  ieee_pfc value{};
  value.pfc_en = enabled;
  return attribute(type, bytes_of(value));
}

TEST(KernelAnswers, ReadDcb) {
  Bytes table;
  append(table, app(IEEE_8021QAZ_APP_SEL_ETHERTYPE, 4, 0x8915));
  append(table, app(IEEE_8021QAZ_APP_SEL_DSCP, 6, 48));
  append(table, app(IEEE_8021QAZ_APP_SEL_DSCP, 3, 26));
  dcbnl_buffer buffer{};
  buffer.prio2buffer[3] = 1;
  buffer.buffer_size[1] = 200000;
  Bytes ieee;
  append(ieee, pfc(DCB_ATTR_IEEE_PFC, 0x08));
  append(ieee, pfc(DCB_ATTR_IEEE_PEER_PFC, 0x18));
  append(ieee, attribute(DCB_ATTR_IEEE_APP_TABLE, table));
  append(ieee, attribute(DCB_ATTR_DCB_BUFFER, bytes_of(buffer)));
  const std::uint8_t owner = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE;
  const auto settings = dcb_settings(
      reply_with({attribute(DCB_ATTR_IEEE, ieee), attribute(DCB_ATTR_DCBX, bytes_of(owner))}));
  EXPECT_EQ(settings.at("pfc"), "3");
  EXPECT_EQ(settings.at("peer-pfc"), "3 4");
  EXPECT_EQ(settings.at("dscp-to-priority"), "26:3 48:6");
  EXPECT_EQ(settings.at("priority-to-buffer"), "0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0");
  EXPECT_EQ(settings.at("buffer-size").substr(0, 12), "0:0 1:200000");
  EXPECT_EQ(settings.at("owner"), "host");
}

TEST(KernelAnswers, CountPfcFramesByPriority) {
  ieee_pfc value{};
  const auto counters = [&] {
    return pfc_counters(
        reply_with({attribute(DCB_ATTR_IEEE, attribute(DCB_ATTR_IEEE_PFC, bytes_of(value)))}));
  };
  EXPECT_TRUE(counters().empty());  // it may count none
  value.requests[3] = 7;
  value.indications[4] = 9;
  EXPECT_EQ(counters().size(), 16U);
  EXPECT_EQ(counters().at("pfc_requests_prio3"), 7U);
  EXPECT_EQ(counters().at("pfc_indications_prio4"), 9U);
  EXPECT_EQ(counters().at("pfc_indications_prio3"), 0U);
  EXPECT_TRUE(pfc_counters({}).empty());
}

/// As the kernel's ethnl: sums first, then lanes; an empty array of what the driver does not count.
TEST(KernelAnswers, CountFecBlocks) {
  Bytes lanes = bytes_of(std::uint64_t{50});
  append(lanes, bytes_of(std::uint64_t{20}));
  append(lanes, bytes_of(std::uint64_t{30}));
  Bytes stats = attribute(ETHTOOL_A_FEC_STAT_CORRECTED, lanes);
  append(stats, attribute(ETHTOOL_A_FEC_STAT_UNCORR, bytes_of(std::uint64_t{2})));
  append(stats, attribute(ETHTOOL_A_FEC_STAT_CORR_BITS, {}));
  Bytes reply = bytes_of(nlmsghdr{});
  append(reply, bytes_of(genlmsghdr{}));
  append(reply, attribute(ETHTOOL_A_FEC_STATS | NLA_F_NESTED, stats));
  const telemetry::Counters expected{{"fec_corrected_blocks", 50}, {"fec_uncorrectable_blocks", 2}};
  EXPECT_EQ(fec_counters(reply), expected);
  for (std::size_t size = 0; size < reply.size(); ++size)
    EXPECT_LE(fec_counters(std::span(reply).first(size)).size(), 0U) << size;
  stats = attribute(ETHTOOL_A_FEC_STAT_CORRECTED, {});
  reply.resize(NLMSG_HDRLEN + GENL_HDRLEN);
  append(reply, attribute(ETHTOOL_A_FEC_STATS, stats));
  EXPECT_TRUE(fec_counters(reply).empty());
}

Bytes version(std::uint16_t which, const std::string& name, const std::string& value) {
  const auto text = [](std::uint16_t type, const std::string& words) {
    Bytes bytes(words.size() + 1);
    std::memcpy(bytes.data(), words.c_str(), bytes.size());
    return attribute(type, bytes);
  };
  Bytes both = text(DEVLINK_ATTR_INFO_VERSION_NAME, name);
  append(both, text(DEVLINK_ATTR_INFO_VERSION_VALUE, value));
  return attribute(which, both);
}

TEST(KernelAnswers, TellFirmwareThatIsStoredAndDoesNotRun) {
  const auto running = DEVLINK_ATTR_INFO_VERSION_RUNNING;
  const auto stored = DEVLINK_ATTR_INFO_VERSION_STORED;
  Bytes reply = bytes_of(nlmsghdr{});
  append(reply, bytes_of(genlmsghdr{}));
  append(reply, version(DEVLINK_ATTR_INFO_VERSION_FIXED, "fw.psid", "MT_0000000838"));
  append(reply, version(running, "fw.version", "28.39.1002"));
  append(reply, version(running, "fw.roce", "1"));
  append(reply, version(running, "board.id", "1"));
  append(reply, version(stored, "fw.version", "28.39.1002"));
  append(reply, version(stored, "board.id", "2"));
  EXPECT_EQ(pending_firmware(reply), "none");
  append(reply, version(stored, "fw.roce", "2"));
  EXPECT_EQ(pending_firmware(reply), "fw.roce 1 to 2");
  for (std::size_t size = 0; size < reply.size(); ++size)
    EXPECT_EQ(pending_firmware(std::span(reply).first(size)), "none") << size;
}

TEST(KernelAnswers, OfABrokenReplyAreNone) {
  EXPECT_TRUE(dcb_settings({}).empty());
  Bytes whole = reply_with({attribute(DCB_ATTR_IEEE, pfc(DCB_ATTR_IEEE_PFC, 0x08))});
  EXPECT_EQ(dcb_settings(whole).at("dscp-to-priority"), "none");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(dcb_settings(std::span(whole).first(size)).empty()) << size;
}

TEST(KernelAnswers, SayThisProcessesLimitsAndItsClock) {
  topology::Recording recording;
  add_kernel_answers(recording, {"lo", "no-such-device"});
  for (const char* const path : {"process/memlock", "process/open-files"})
    EXPECT_TRUE(recording.files.contains(path)) << path;
  EXPECT_TRUE(recording.unread.contains("ethtool/no-such-device/pause"));
  EXPECT_TRUE(recording.unread.contains("dcb/no-such-device/pfc"));
  EXPECT_TRUE(recording.unread.contains("route/lo"));
  EXPECT_TRUE(netlink_counters("lo").empty());
  EXPECT_TRUE(netlink_counters("no-such-device").empty());
}

TEST(PciSettings, AreDecodedFromTheConfigurationSpace) {
  std::string config(4096, '\0');
  EXPECT_TRUE(pci_settings(config).empty());
  config[0x34] = 0x60;
  config[0x60] = 0x10;
  config[0x68] = '\x50';  // relaxed ordering, payload of 512 bytes
  config[0x69] = '\x50';  // read requests of 4096 bytes
  config[0x100] = 0x0d;   // access control, the last capability
  config[0x106] = 0x1c;
  const auto settings = pci_settings(config);
  EXPECT_EQ(settings.at("max-payload"), "512");
  EXPECT_EQ(settings.at("max-read-request"), "4096");
  EXPECT_EQ(settings.at("relaxed-ordering"), "on");
  EXPECT_EQ(settings.at("acs"), "on");
  config[0x106] = 0;
  EXPECT_EQ(pci_settings(config).at("acs"), "off");
  config[0x61] = 0x60;  // a list without an end
  config[0x60] = 0x05;
  EXPECT_TRUE(pci_settings(config).empty());
  EXPECT_TRUE(pci_settings("short").empty());
}

}  // namespace
}  // namespace railgauge::doctor
