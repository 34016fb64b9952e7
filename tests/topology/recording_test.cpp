#include "topology/recording.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "topology/bundle.hpp"

namespace railgauge::topology {
namespace {

Recording parsed(const std::string& lines) {
  std::istringstream text("railgauge host 1\n" + lines + "hwloc:\n<topology>\n</topology>\n");
  return parse_recording(text);
}

std::string complaint(const std::string& text) {
  std::istringstream lines(text);
  try {
    parse_recording(lines);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(Recording, HasFilesLinksAndAddresses) {
  const Recording recording = parsed(
      "# by hand\n\nhost: node7\nallowed: 0-3\ndefault-route: eth0\naddress: eth1 10.10.0.8/24\n"
      "a/0000:17:00.0/state: 4: ACTIVE\na/device -> devices/b\n");
  EXPECT_EQ(recording.host, "node7");
  EXPECT_EQ(recording.allowed, (CpuSet{0, 1, 2, 3}));
  EXPECT_EQ(recording.default_route, "eth0");
  ASSERT_EQ(recording.addresses.size(), 1U);
  EXPECT_EQ(to_string(recording.addresses[0].address), "10.10.0.8");
  EXPECT_EQ(recording.line("a/0000:17:00.0/state"), "4: ACTIVE");
  EXPECT_EQ(recording.line("a/nothing"), "");
  EXPECT_EQ(recording.target("a/device"), "devices/b");
  EXPECT_EQ(recording.hwloc_xml, "<topology>\n</topology>\n");
}

TEST(Recording, ListsAFolderInNaturalOrder) {
  const Recording recording = parsed("a/x10/f: 1\na/x2/f: 1\na/x2/g: 1\nab/f: 1\na/x1 -> b\n");
  EXPECT_EQ(recording.names("a"), (std::vector<std::string>{"x1", "x2", "x10"}));
  EXPECT_EQ(recording.names("nothing"), std::vector<std::string>{});
}

TEST(Recording, SaysInWhichLineItIsNone) {
  EXPECT_EQ(complaint(""), "line 1 is not 'railgauge host 1'");
  const std::string first = "railgauge host 1\n";
  EXPECT_EQ(complaint(first + "host: a\nnonsense\n"),
            "line 3, 'nonsense': expected 'name: content', 'link -> target' or 'name ! error'");
  EXPECT_EQ(complaint(first + "serial: 123\n"), "line 2, 'serial: 123': unknown name 'serial'");
  EXPECT_EQ(complaint(first + "address: eth1 10.10.0.8/33\n"),
            "line 2, 'address: eth1 10.10.0.8/33': expected an address with a prefix length");
  EXPECT_NE(complaint(first + "address: 10.10.0.8\n"), "none");
  EXPECT_NE(complaint(first + "allowed: some\n"), "none");
}

TEST(Recording, ThatWasCutAtALineEndIsNone) {
  const std::string whole = to_text(bundle_recording("two_sockets_eight_nics"));
  for (std::size_t end = whole.find('\n') + 1; end < whole.size(); end = whole.find('\n', end) + 1)
    ASSERT_NE(complaint(whole.substr(0, end)), "none") << whole.substr(0, end);
  EXPECT_EQ(complaint(whole), "none");
  EXPECT_EQ(complaint("railgauge host 1\nhost: a\n"),
            "it ends in line 2, before hwloc's XML: record the host again");
}

TEST(Recording, SaysWhatCouldNotBeRead) {
  const std::string text =
      "railgauge host 1\nhost: a\na/b: 1: 2 ! 3\na/speed ! EINVAL\nhwloc: none\n";
  std::istringstream lines(text);
  const Recording recording = parse_recording(lines);
  EXPECT_EQ(recording.unread.at("a/speed"), "EINVAL");
  EXPECT_EQ(recording.line("a/b"), "1: 2 ! 3");
  EXPECT_EQ(recording.names("a"), std::vector<std::string>{"b"});
  EXPECT_EQ(to_text(recording), text);
}

TEST(Recording, IsWrittenAsItIsRead) {
  const std::string text = to_text(bundle_recording("two_sockets_eight_nics"));
  std::istringstream lines(text);
  EXPECT_EQ(to_text(parse_recording(lines)), text);
}

TEST(Recording, OfHwlocsXmlAloneIsNamedByItsFile) {
  const std::string file = ::testing::TempDir() + "/node9.xml";
  std::ofstream(file) << bundle_recording("four_nics").hwloc_xml;
  const Recording recording = load_recording(file);
  EXPECT_EQ(recording.host, "node9");
  EXPECT_TRUE(recording.files.empty());
  EXPECT_THROW(load_recording("/no/such.host"), std::runtime_error);
  EXPECT_THROW(load_recording(::testing::TempDir()), std::runtime_error);
}

}  // namespace
}  // namespace railgauge::topology
