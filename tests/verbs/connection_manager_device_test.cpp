#include "verbs/connection_manager.hpp"

#include <thread>

#include "device_fixture.hpp"

namespace railgauge::verbs {
namespace {

using namespace std::chrono_literals;

std::chrono::steady_clock::time_point in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

/// Two managers on the device's own address, as two processes would have them.
class ConnectionManagerDeviceTest : public JoinedTest {
 protected:
  void SetUp() override {
    JoinedTest::SetUp();
    if (IsSkipped()) return;
    left_manager_ = std::make_unique<ConnectionManager>(port_.address());
    right_manager_ = std::make_unique<ConnectionManager>(port_.address());
    left_port_ = left_manager_->listen();
    right_port_ = right_manager_->listen();
  }

  /// The message with which `manager` fails.
  static std::string failure(ConnectionManager& manager, std::chrono::milliseconds time) {
    try {
      manager.finish(in(time));
    } catch (const std::system_error& error) {
      return error.what();
    }
    return "no failure";
  }

  std::unique_ptr<ConnectionManager> left_manager_, right_manager_;
  std::uint16_t left_port_ = 0, right_port_ = 0;
};

TEST_F(ConnectionManagerDeviceTest, PairsConnectInBothDirectionsAndMoveBytes) {
  EXPECT_NE(left_port_, 0);
  PendingQueuePair awaiting = make_pair(*right_);
  ASSERT_EQ(awaiting.post_receives(1, 44), 0);
  // Each side is active for one pair and passive for the other.
  left_manager_->start(make_pair(*left_), port_.address(), right_port_, "left to right");
  left_manager_->expect(make_pair(*left_), "right to left");
  right_manager_->expect(std::move(awaiting), "left to right");
  right_manager_->start(make_pair(*right_), port_.address(), left_port_, "right to left");

  std::vector<QueuePair> right;
  std::thread other([&] { right = right_manager_->finish(in(10s)); });
  std::vector<QueuePair> left = left_manager_->finish(in(10s));
  other.join();
  ASSERT_EQ(left.size(), 2U);
  ASSERT_EQ(right.size(), 2U);

  std::fill(left_->memory.begin(), left_->memory.end(), std::byte{0x3c});
  const Write write{.from = left_->slice(kBytes), .to = right_->target(), .id = 1};
  ASSERT_EQ(left[0].write_with_immediate(write, 99), 0);
  const Completion arrival = right_->next();
  EXPECT_EQ(arrival.kind, CompletionKind::arrival) << describe(arrival);
  EXPECT_EQ(arrival.id, 44U);
  EXPECT_EQ(arrival.immediate, 99U);
  EXPECT_EQ(left_->memory, right_->memory);
  EXPECT_TRUE(left_->next().ok());

  ASSERT_EQ(right[1].write({.from = right_->slice(8), .to = left_->target(), .id = 2}), 0);
  EXPECT_TRUE(right_->next().ok());
}

TEST_F(ConnectionManagerDeviceTest, PairsOutliveTheirManager) {
  left_manager_->start(make_pair(*left_), port_.address(), right_port_, "x");
  right_manager_->expect(make_pair(*right_), "x");
  std::vector<QueuePair> right;
  std::thread other([&] { right = right_manager_->finish(in(10s)); });
  std::vector<QueuePair> left = left_manager_->finish(in(10s));
  other.join();
  left_manager_.reset();
  right_manager_.reset();
  ASSERT_EQ(left.at(0).write({.from = left_->slice(8), .to = right_->target(), .id = 2}), 0);
  EXPECT_TRUE(left_->next().ok());
}

TEST_F(ConnectionManagerDeviceTest, ManyPairsFromOneThreadEachSide) {
  constexpr int kPairs = 16;
  for (int i = 0; i < kPairs; ++i) {
    const std::string name = "channel " + std::to_string(i);
    left_manager_->start(make_pair(*left_), port_.address(), right_port_, name);
    right_manager_->expect(make_pair(*right_), name);
  }
  std::vector<QueuePair> right;
  std::thread other([&] { right = right_manager_->finish(in(20s)); });
  std::vector<QueuePair> left = left_manager_->finish(in(20s));
  other.join();
  ASSERT_EQ(right.size(), left.size());
  // Channel i of one side is channel i of the other, whatever the order of the requests was.
  for (std::size_t i = 0; i < left.size(); ++i) {
    ASSERT_EQ(right[i].post_receives(1, i), 0);
    ASSERT_EQ(left[i].write_with_immediate({.signaled = false}, 0), 0);
    const Completion arrival = right_->next();
    EXPECT_EQ(arrival.qp_number, right[i].number()) << describe(arrival);
  }
}

TEST_F(ConnectionManagerDeviceTest, PortWhereNobodyListensIsNamed) {
  right_manager_.reset();
  left_manager_->start(make_pair(*left_), port_.address(), right_port_, "rank 0 > 1");
  const std::string what = failure(*left_manager_, 10s);
  EXPECT_NE(what.find(port_.address() + " port " + std::to_string(right_port_) + " (rank 0 > 1)"),
            std::string::npos)
      << what;
  EXPECT_NE(what.find("nothing is listening on that port"), std::string::npos) << what;
}

TEST_F(ConnectionManagerDeviceTest, UnexpectedRequestIsRefused) {
  left_manager_->start(make_pair(*left_), port_.address(), right_port_, "from a past run");
  right_manager_->expect(make_pair(*right_), "rank 0 > 1");
  std::string left;
  std::thread other([&] { left = failure(*left_manager_, 10s); });
  const std::string right = failure(*right_manager_, 2s);
  other.join();
  EXPECT_NE(left.find("did not expect this connection"), std::string::npos) << left;
  EXPECT_NE(right.find("a peer (rank 0 > 1): its request has not arrived"), std::string::npos);
  EXPECT_NE(right.find("1 unexpected request(s) refused"), std::string::npos) << right;
}

TEST_F(ConnectionManagerDeviceTest, DeadlineNamesEverythingThatIsMissing) {
  left_manager_->start(make_pair(*left_), port_.address(), right_port_, "rank 0 > 1");
  left_manager_->expect(make_pair(*left_), "rank 2 > 0");
  const auto start = std::chrono::steady_clock::now();
  const std::string what = failure(*left_manager_, 500ms);  // the other side never answers
  EXPECT_LT(std::chrono::steady_clock::now() - start, 3s);
  EXPECT_NE(what.find("(rank 0 > 1): waiting for the peer's answer"), std::string::npos) << what;
  EXPECT_NE(what.find("a peer (rank 2 > 0): its request has not arrived"), std::string::npos)
      << what;
}

TEST_F(ConnectionManagerDeviceTest, AddressOnNoRailCannotBeResolved) {
  // RFC 5737 keeps this address for documentation: nobody has it.
  std::string what;
  try {
    left_manager_->start(make_pair(*left_), "192.0.2.1", 1, "rank 0 > 1");
    what = failure(*left_manager_, 10s);
  } catch (const std::system_error& error) {
    what = error.what();
  }
  EXPECT_NE(what.find("192.0.2.1 port 1 (rank 0 > 1)"), std::string::npos) << what;
}

TEST_F(ConnectionManagerDeviceTest, PairOfAnotherRailIsRefused) {
  ConnectionManager other("127.0.0.1");
  EXPECT_THROW(other.expect(make_pair(*left_), "x"), std::system_error);
}

}  // namespace
}  // namespace railgauge::verbs
