#include "telemetry/counters.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace railgauge::telemetry {
namespace {

namespace fs = std::filesystem;

/// A recorded /sys with one port, in a folder that goes away with the test.
class RecordedPort : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "railgauge_counters_XXXXXX";
    sysfs_ = ::mkdtemp(name.data());
    port_ = sysfs_ / "class/infiniband/rxe0/ports/1";
  }
  void TearDown() override { fs::remove_all(sysfs_); }

  void has(const fs::path& file, const std::string& content) {
    fs::create_directories((port_ / file).parent_path());
    std::ofstream(port_ / file) << content;
  }

  fs::path sysfs_;
  fs::path port_;
};

TEST_F(RecordedPort, HasTheCountersOfBothKinds) {
  has("hw_counters/sent_pkts", "1500\n");
  has("hw_counters/retry_exceeded_err", "0\n");
  has("counters/port_xmit_data", "18446744073709551615\n");
  EXPECT_EQ(
      read_counters("rxe0", 1, sysfs_),
      (Counters{{"port_xmit_data", UINT64_MAX}, {"retry_exceeded_err", 0}, {"sent_pkts", 1500}}));
}

TEST_F(RecordedPort, LeavesOutWhatIsNoCounter) {
  has("hw_counters/lifespan", "12\n");
  has("hw_counters/empty", "");
  has("counters/VL15_dropped", "N/A (no PMA)\n");
  has("counters/with_unit", "7 packets\n");
  has("counters/negative", "-1\n");
  has("counters/too_large", "18446744073709551616\n");
  has("counters/folder/inside", "1\n");
  has("counters/port_rcv_data", "7\n");
  EXPECT_EQ(read_counters("rxe0", 1, sysfs_), (Counters{{"port_rcv_data", 7}}));
}

TEST_F(RecordedPort, MayTellWhatWasATickAfterItsLifespanAgo) {
  using namespace std::chrono_literals;
  has("hw_counters/sent_pkts", "1500\n");
  EXPECT_EQ(refresh_time("rxe0", 1, sysfs_), 0ms);
  has("hw_counters/lifespan", "12\n");
  EXPECT_EQ(refresh_time("rxe0", 1, sysfs_), 22ms);
  has("../../hw_counters/lifespan", "100\n");  // of the device
  EXPECT_EQ(refresh_time("rxe0", 1, sysfs_), 110ms);
  EXPECT_EQ(refresh_time("rxe1", 1, sysfs_), 0ms);
}

TEST_F(RecordedPort, IsReadAgainForWhatIsWanted) {
  has("hw_counters/np_cnp_sent", "3\n");
  has("hw_counters/sent_pkts", "1500\n");
  const CounterFiles files(
      "rxe0", 1, [](std::string_view name) { return name == "np_cnp_sent"; }, sysfs_);
  EXPECT_EQ(files.read(), (Counters{{"np_cnp_sent", 3}}));
  has("hw_counters/np_cnp_sent", "5\n");
  EXPECT_EQ(files.read(), (Counters{{"np_cnp_sent", 5}}));
  fs::remove(port_ / "hw_counters/np_cnp_sent");
  EXPECT_TRUE(files.read().empty());
}

/// As mana's ECN and CNP. A port's own counter of the same name comes first.
TEST_F(RecordedPort, HasItsDevicesIfItIsTheOnlyOne) {
  has("hw_counters/rate_inc_events", "3\n");
  has("../../hw_counters/received_ecns", "7\n");
  has("../../hw_counters/rate_inc_events", "9\n");
  EXPECT_EQ(read_counters("rxe0", 1, sysfs_),
            (Counters{{"rate_inc_events", 3}, {"received_ecns", 7}}));
  EXPECT_TRUE(read_counters("rxe0", 2, sysfs_).empty());
  has("../2/hw_counters/rate_inc_events", "4\n");
  EXPECT_EQ(read_counters("rxe0", 1, sysfs_), (Counters{{"rate_inc_events", 3}}));
}

TEST_F(RecordedPort, OfAnotherDeviceOrNumberHasNone) {
  has("counters/port_rcv_data", "7\n");
  EXPECT_TRUE(read_counters("rxe1", 1, sysfs_).empty());
  EXPECT_TRUE(read_counters("rxe0", 2, sysfs_).empty());
  EXPECT_TRUE(read_counters("rxe0", 1, sysfs_ / "nowhere").empty());
}

TEST(Moved, NamesWhatChangedWithItsDifference) {
  const Counters before{{"sent_pkts", 100}, {"still", 5}, {"reset", 10}, {"gone", 1}};
  const Counters after{{"sent_pkts", 130}, {"still", 5}, {"reset", 4}, {"new", 9}};
  EXPECT_EQ(moved(before, after),
            (std::map<std::string, std::int64_t>{{"reset", -6}, {"sent_pkts", 30}}));
}

}  // namespace
}  // namespace railgauge::telemetry
