#include "runner/failure_summary.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using results::Failure;
using Lines = std::vector<std::string>;

/// What a rank says of a queue pair that found no answer, as transport and executor write it.
Failure dead_link(int rank, const std::string& host, const std::string& address,
                  const std::string& peer_host, const std::string& peer_address, int rail = 1,
                  int peer = 9) {
  return {
      rank, host, Failure::Kind::transport,
      "RETRY_EXC_ERR on queue pair 0x13: transport retries exhausted: the peer or a link on the "
      "way did not answer; look at link state (rank " +
          std::to_string(peer) + " (" + peer_host + ") on rail " + std::to_string(rail) +
          ": rxe1 " + address + " to rxe1 " + peer_address +
          ", queue pair 19 error, 661 writes posted, 640 completed; rxe1 port 1: port went "
          "down)\nwaits for step 1 of 6 (ring, block 0) from rank 1 (" +
          peer_host + ") on rail 1: rxe1 " + address + " to rxe1 10.0.0.99, queue pair 20"};
}

Failure stopped(int rank, const std::string& host) {
  return {
      rank, host, Failure::Kind::stopped,
      "stopped because another rank failed: told to stop\nwaits for step " + std::to_string(rank)};
}

TEST(Causes, OfBothEndsOfALinkAreOne) {
  EXPECT_EQ(causes_of({dead_link(2, "host1", "10.1.0.2", "host0", "10.1.0.1", 1, 1),
                       dead_link(1, "host0", "10.1.0.1", "host1", "10.1.0.2", 1, 2),
                       stopped(0, "host0"), stopped(3, "host1")}),
            Lines{"cause: rail 1 is dead between host0 (rxe1 10.1.0.1) and host1 (rxe1 10.1.0.2); "
                  "2 ranks say so"});
}

TEST(Causes, AreTheLinkIfTheOtherEndLives) {
  EXPECT_EQ(causes_of({dead_link(2, "host1", "10.1.0.2", "host0", "10.1.0.1", 1, 0),
                       stopped(0, "host0")}),
            Lines{"cause: rail 1 is dead between host0 (rxe1 10.1.0.1) and host1 (rxe1 10.1.0.2); "
                  "1 rank says so"});
}

/// A rank that was killed does not answer either.
TEST(Causes, LeaveItOpenIfTheOtherEndIsSilent) {
  EXPECT_EQ(causes_of({dead_link(2, "host1", "10.1.0.2", "host0", "10.1.0.1", 1, 0),
                       dead_link(3, "host1", "10.1.0.2", "host0", "10.1.0.1", 1, 0)}),
            Lines{"cause: no answer on rail 1 between host0 (rxe1 10.1.0.1) and host1 (rxe1 "
                  "10.1.0.2): the link is dead, or who did not answer has ended"});
}

TEST(Causes, OfAllLinksOfAPortAreThePort) {
  EXPECT_EQ(
      causes_of({dead_link(2, "host1", "10.1.0.2", "host0", "10.1.0.1"),
                 dead_link(4, "host2", "10.1.0.3", "host1", "10.1.0.2"),
                 dead_link(5, "host1", "10.1.0.2", "host3", "10.1.0.4")}),
      Lines{"cause: rail 1 of host1 (rxe1 10.1.0.2) does not answer, or cannot be heard, on 3 "
            "links; 3 ranks say so"});
}

TEST(Causes, OfLinksThatShareNothingAreThoseLinks) {
  const Lines two = causes_of({dead_link(2, "a", "10.1.0.1", "b", "10.1.0.2"),
                               dead_link(3, "c", "10.2.0.1", "d", "10.2.0.2", 2)});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_NE(two[1].find("rail 2 between c (rxe1 10.2.0.1) and d (rxe1 10.2.0.2)"),
            std::string::npos);
  std::vector<Failure> many;
  for (int i = 0; i < 7; ++i) {
    const std::string number = std::to_string(i);
    many.push_back(
        dead_link(i, "a" + number, "10.1.0." + number, "b" + number, "10.2.0." + number));
  }
  EXPECT_EQ(causes_of(many).size(), 5U);
  EXPECT_EQ(causes_of(many).back(), "cause: and 3 more links");
}

/// As transport::connect_verbs() writes it.
Failure black_hole(int rank, const std::string& host, const std::string& address,
                   const std::string& peer_host, const std::string& peer_address) {
  Failure failure = dead_link(rank, host, address, peer_host, peer_address, 1, 1);
  failure.text.insert(failure.text.find(" (rank"),
                      "; packets of 1024 bytes pass, and of 2048 do not: look for an MTU");
  return failure;
}

TEST(Causes, OfAPathThatLosesLargePacketsAreItsDirection) {
  const Lines causes = causes_of({black_hole(2, "host1", "10.1.0.2", "host0", "10.1.0.1"),
                                  dead_link(1, "host0", "10.1.0.1", "host1", "10.1.0.2", 1, 2)});
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_TRUE(causes[0].starts_with(
      "cause: rail 1 loses large packets from host1 (rxe1 10.1.0.2) to host0 (rxe1 10.1.0.1): "
      "packets of 1024 bytes pass, and of 2048 do not; "))
      << causes[0];
  EXPECT_EQ(causes[0].find("from host0"), std::string::npos)
      << "the other way is a consequence: " << causes[0];
}

TEST(Causes, OfAPathThatLosesLargePacketsBothWaysAreBoth) {
  const Lines causes = causes_of({black_hole(2, "host1", "10.1.0.2", "host0", "10.1.0.1"),
                                  black_hole(1, "host0", "10.1.0.1", "host1", "10.1.0.2")});
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_NE(causes[0].find("from host0"), std::string::npos);
  EXPECT_NE(causes[0].find("from host1"), std::string::npos);
}

/// A port of a switch: it is not said that the whole port does not answer.
TEST(Causes, OfSeveralPathsThatLoseLargePacketsAreEach) {
  const Lines causes = causes_of({black_hole(2, "host1", "10.1.0.2", "host0", "10.1.0.1"),
                                  black_hole(2, "host1", "10.1.0.2", "host2", "10.1.0.3")});
  ASSERT_EQ(causes.size(), 2U);
  for (const std::string& cause : causes) {
    EXPECT_NE(cause.find("loses large packets from host1"), std::string::npos) << cause;
  }
}

TEST(Causes, AreNotGuessed) {
  EXPECT_EQ(causes_of({}), Lines{});
  EXPECT_EQ(causes_of({stopped(0, "host0")}), Lines{});
  Failure late = dead_link(2, "host1", "10.1.0.2", "host0", "10.1.0.1");
  late.kind = Failure::Kind::time_out;  // who waits for somebody is no witness against him
  EXPECT_EQ(causes_of({late}), Lines{});
  Failure denied = dead_link(2, "host1", "10.1.0.2", "host0", "10.1.0.1");
  denied.text.replace(0, denied.text.find(" (rank"), "REM_ACCESS_ERR on queue pair 0x13: denied");
  EXPECT_EQ(causes_of({denied}), Lines{});
  for (const char* text : {"", "(rank ", "(rank 1 (", "(rank 1 (host0) on rail 1: rxe1 to",
                           "(rank 1 (host0) on rail 1: rxe1 10.0.0.1 to rxe1 10.0.0.2"}) {
    const std::string whole = std::string("transport retries exhausted ") + text;
    EXPECT_EQ(causes_of({{0, "host0", Failure::Kind::transport, whole}}), Lines{}) << text;
  }
}

TEST(FailureLines, OfFewRanksAreAll) {
  const Failure first = dead_link(2, "host1", "10.1.0.2", "host0", "10.1.0.1");
  EXPECT_EQ(failure_lines({first, stopped(0, "host0"), stopped(1, "host0")}, 3),
            (Lines{in_words(first), in_words(stopped(0, "host0")), in_words(stopped(1, "host0"))}));
}

TEST(FailureLines, TellWhatRanksOfAHostShareOnce) {
  const Failure full{0, "host0", Failure::Kind::environment, "no memory"};
  Failure other = full;
  other.rank = 1;
  Failure elsewhere = full;
  elsewhere.host = "host1";
  EXPECT_EQ(failure_lines({full, other, elsewhere}, 3),
            (Lines{"rank 0 (host0): no memory", "rank 0 (host1): no memory"}));
}

TEST(FailureLines, OfManyRanksAreOneForEachHostAndRail) {
  std::vector<Failure> failures{dead_link(8, "host1", "10.1.0.2", "host0", "10.1.0.1"),
                                dead_link(9, "host1", "10.1.0.2", "host2", "10.1.0.3"),
                                dead_link(10, "host1", "10.1.0.2", "host2", "10.1.0.3", 2)};
  for (int rank = 16; rank < 64; ++rank) {
    failures.push_back(stopped(rank, "host" + std::to_string(rank / 8)));
  }
  const Lines lines = failure_lines(failures, 64);
  ASSERT_EQ(lines.size(), 2U + 6 + 1);
  EXPECT_TRUE(lines[0].ends_with(" (and 1 more of host1 on this rail)")) << lines[0];
  EXPECT_EQ(lines[1], in_words(failures[2]).substr(0, in_words(failures[2]).find('\n')));
  EXPECT_TRUE(lines[2].ends_with("failed: told to stop (and 7 more of host2)")) << lines[2];
  EXPECT_EQ(lines.back(), "the document (-J) has what each of 51 ranks said");
  EXPECT_EQ(failure_lines(failures, 32).size(), failures.size());
}

}  // namespace
}  // namespace railgauge::runner
