#include "softroce/wire/pcap.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

namespace railgauge::softroce {
namespace {

namespace fs = std::filesystem;
using Octets = std::vector<std::uint8_t>;

class PcapTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "softroce-pcap-XXXXXX";
    directory_ = mkdtemp(pattern.data());
    path_ = directory_ / "capture.pcap";
  }
  void TearDown() override { fs::remove_all(directory_); }

  Octets contents() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path directory_;
  fs::path path_;
};

std::uint32_t host_word(const Octets& octets, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, octets.data() + at, sizeof word);
  return word;
}

Octets part(const Octets& octets, std::size_t at, std::size_t count) {
  const auto from = octets.begin() + static_cast<std::ptrdiff_t>(at);
  return {from, from + static_cast<std::ptrdiff_t>(count)};
}

Octets file_header() {
  Octets header(24);
  const std::uint32_t magic = 0xa1b23c4d;
  const std::uint16_t version[2] = {2, 4};
  const std::uint32_t longest = 65535;
  const std::uint32_t link_type = 101;
  std::memcpy(header.data(), &magic, 4);
  std::memcpy(header.data() + 4, version, 4);
  std::memcpy(header.data() + 16, &longest, 4);
  std::memcpy(header.data() + 20, &link_type, 4);
  return header;
}

const std::vector<std::byte> kDatagram(16, std::byte{0xab});

TEST_F(PcapTest, AnEmptyCaptureIsAFileHeader) {
  const Capture capture(path_);
  EXPECT_EQ(contents(), file_header());
}

TEST_F(PcapTest, Ipv4PacketByteByByte) {
  const auto before = static_cast<std::uint32_t>(std::time(nullptr));
  Capture capture(path_);
  capture.record({ipv4(0xc0a80001), ipv4(0xc0a800c7), 49152, 0x1c46}, {.traffic_class = 0x03},
                 kDatagram);
  const Octets file = contents();  // the capture is still open: a packet does not wait for its end
  ASSERT_EQ(file.size(), 24U + 16 + 20 + 8 + 16);
  EXPECT_EQ(part(file, 0, 24), file_header());
  EXPECT_GE(host_word(file, 24), before);
  EXPECT_LE(host_word(file, 24), before + 60);
  EXPECT_LT(host_word(file, 28), 1'000'000'000U);
  EXPECT_EQ(host_word(file, 32), 44U);
  EXPECT_EQ(host_word(file, 36), 44U);
  // The checksum by hand (RFC 1071): the other words add up to 0x2639e, folded 0x63a0.
  const Octets ip = {0x45, 0x03, 0x00, 0x2c, 0x1c, 0x46, 0x40, 0x00, 0x40, 0x11,
                     0x9c, 0x5f, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};
  EXPECT_EQ(part(file, 40, 20), ip);
  EXPECT_EQ(part(file, 60, 8), (Octets{0xc0, 0x00, 0x12, 0xb7, 0x00, 0x18, 0x00, 0x00}));
  EXPECT_EQ(part(file, 68, 16), Octets(16, 0xab));
}

TEST_F(PcapTest, Ipv6PacketByteByByte) {
  Capture capture(path_);
  capture.record({*parse_address("fd00::1"), *parse_address("2001:db8::ff"), 4791, 7},
                 {.traffic_class = 0xb9, .hop_limit = 9}, kDatagram);
  const Octets file = contents();
  ASSERT_EQ(file.size(), 24U + 16 + 40 + 8 + 16);
  EXPECT_EQ(host_word(file, 32), 64U);
  const Octets ip = {0x6b, 0x90, 0x00, 0x00, 0x00, 0x18, 0x11, 0x09,  //
                     0xfd, 0,    0,    0,    0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 1,
                     0x20, 0x01, 0x0d, 0xb8, 0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0xff};
  EXPECT_EQ(part(file, 40, 40), ip);
  EXPECT_EQ(part(file, 80, 8), (Octets{0x12, 0xb7, 0x12, 0xb7, 0x00, 0x18, 0x00, 0x00}));
}

TEST_F(PcapTest, AnExistingFileIsNotWrittenOver) {
  std::ofstream(path_) << "precious";
  try {
    const Capture capture(path_);
    FAIL() << "wrote over it";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::file_exists);
    EXPECT_NE(std::string(error.what()).find(path_), std::string::npos) << error.what();
  }
  EXPECT_EQ(fs::file_size(path_), 8U);
}

/// Room for a file header, one packet and a half; then what a full disk does.
void capture_into_little_room(const std::string& path) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{24 + 60 + 30, 24 + 60 + 30};
  setrlimit(RLIMIT_FSIZE, &little);
  Capture capture(path);
  for (int packet = 0; packet < 4; ++packet) {
    capture.record({ipv4(0x7f000001), ipv4(0x7f000002), 4791, 0}, {}, kDatagram);
  }
  std::_Exit(0);
}

TEST_F(PcapTest, AFullDiskEndsTheCaptureAfterAWholePacketWithOneSentence) {
  EXPECT_EXIT(capture_into_little_room(path_), ::testing::ExitedWithCode(0),
              "^softroce: the capture .*capture.pcap ends here: No space left on device\n$");
  EXPECT_EQ(fs::file_size(path_), 24U + 60);
}

}  // namespace
}  // namespace railgauge::softroce
