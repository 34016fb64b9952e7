#include "reachability/complaints.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "reachability/fabric.hpp"

namespace railgauge::reachability {
namespace {

using Lines = std::vector<std::string>;

// In fabric(3, 2) the NICs are host 0 rail 0, host 0 rail 1, host 1 rail 0, ...
constexpr std::size_t kHost0Rail1 = 1;
constexpr std::size_t kHost1Rail1 = 3;

TEST(Complaints, AreNoneIfAllWorks) {
  const Matrix matrix = filled(fabric(3, 2), [](auto, auto) { return works(); });
  EXPECT_EQ(complaints(matrix, CrossRail::has_to_work), Lines{});
}

TEST(Complaints, NameAHostThatLacksANic) {
  std::vector<Nic> nics = fabric(3, 2).nics();
  nics.pop_back();
  const Matrix matrix = filled(Matrix(nics), [](auto, auto) { return works(); });
  EXPECT_EQ(complaints(matrix, CrossRail::may_fail),
            Lines{"host2 has 1 usable NIC, others have 2: is a port down?"});
}

TEST(Complaints, AreNoneOfAPlaneThatIsDown) {
  std::vector<Nic> nics = fabric(3, 2).nics();
  for (Nic& nic : nics) nic.plane = std::exchange(nic.rail, 0);
  nics.pop_back();
  const Matrix matrix = filled(Matrix(nics), [](auto, auto) { return works(); });
  EXPECT_EQ(complaints(matrix, CrossRail::may_fail), Lines{});
}

TEST(Complaints, NameBothEndsAndTheReason) {
  const Matrix matrix = filled(fabric(3, 2), [](std::size_t from, std::size_t to) {
    return from == kHost0Rail1 && to == kHost1Rail1 ? fails() : works();
  });
  EXPECT_EQ(complaints(matrix, CrossRail::may_fail),
            Lines{"host0 rail 1 (mlx5_1, 10.1.0.0) to host1 rail 1 (mlx5_1, 10.1.0.1) does not "
                  "work: nobody answered"});
}

TEST(Complaints, TellADeadNicOnce) {
  const Matrix matrix = filled(fabric(3, 2), [](std::size_t from, std::size_t to) {
    return from == kHost1Rail1 || to == kHost1Rail1 ? fails() : works();
  });
  EXPECT_EQ(complaints(matrix, CrossRail::may_fail),
            Lines{"host1 rail 1 (mlx5_1, 10.1.0.1) reaches no NIC on its rail, and none reaches "
                  "it: nobody answered"});
  EXPECT_EQ(complaints(matrix, CrossRail::has_to_work).size(), 2U);
}

TEST(Complaints, OfTwoNicsBlameNeither) {
  const Matrix matrix = filled(fabric(2, 1), [](auto, auto) { return fails(); });
  EXPECT_EQ(complaints(matrix, CrossRail::may_fail).size(), 2U);
}

TEST(Complaints, LetRailsBeSeparateUnlessAsked) {
  const Matrix matrix = filled(fabric(3, 2), [](std::size_t from, std::size_t to) {
    return from % 2 == to % 2 ? works() : fails();
  });
  EXPECT_EQ(complaints(matrix, CrossRail::may_fail), Lines{});
  EXPECT_EQ(complaints(matrix, CrossRail::has_to_work).size(), 6U);
}

TEST(Complaints, AreAboutLessThanHalfOfTheMedian) {
  const auto with = [](double slow) {
    return filled(fabric(3, 2), [=](std::size_t from, std::size_t to) {
      return works(from == kHost0Rail1 && to == kHost1Rail1 ? slow : 10);
    });
  };
  EXPECT_EQ(complaints(with(5), CrossRail::may_fail), Lines{});
  EXPECT_EQ(complaints(with(100), CrossRail::may_fail), Lines{});
  EXPECT_EQ(complaints(with(4.9), CrossRail::may_fail),
            Lines{"host0 rail 1 (mlx5_1, 10.1.0.0) to host1 rail 1 (mlx5_1, 10.1.0.1) is slow: 4.9 "
                  "GB/s, compared with a median of 10 GB/s for such pairs"});
}

TEST(Complaints, DoNotCallSlowWhatCannotBeReached) {
  const Kind kind{.median_gigabytes_per_second = 10};
  EXPECT_TRUE(is_slow(works(4), kind));
  EXPECT_FALSE(is_slow(works(5), kind));
  EXPECT_FALSE(is_slow(fails(), kind));
}

/// Of that rate, with ends that ran together for that share of its time.
Reach held_up_at(double gigabytes_per_second, double ran_share) {
  Reach reach = works(gigabytes_per_second);
  reach.ran_share = ran_share;
  return reach;
}

TEST(Complaints, DoNotCallSlowWhatDidNotRun) {
  const Kind kind{.median_gigabytes_per_second = 10};
  EXPECT_TRUE(looks_slow(held_up_at(4, 0.5), kind));
  EXPECT_FALSE(is_slow(held_up_at(4, 0.5), kind));
  EXPECT_FALSE(is_slow(held_up_at(4, 0), kind));
  EXPECT_TRUE(is_slow(held_up_at(2, 0.5), kind)) << "it would have been, anyway";
  EXPECT_TRUE(is_slow(held_up_at(4.9, 0.96), kind)) << "a poll that is late now and then";
}

TEST(Doubts, AreOfPairsThatPerhapsAreNotSlow) {
  const auto with = [](const Reach& one) {
    return filled(fabric(3, 2), [one](std::size_t from, std::size_t to) {
      return from == kHost0Rail1 && to == kHost1Rail1 ? one : works();
    });
  };
  EXPECT_EQ(complaints(with(held_up_at(4, 0.5)), CrossRail::may_fail), Lines{});
  EXPECT_EQ(
      doubts(with(held_up_at(4, 0.5))),
      Lines{"not known whether host0 rail 1 (mlx5_1, 10.1.0.0) to host1 rail 1 (mlx5_1, "
            "10.1.0.1) is slow: 4 GB/s, compared with a median of 10 GB/s for such pairs, "
            "but the processes at its ends ran for about 50 % of the time; test it again when "
            "nothing else runs there"});
  EXPECT_EQ(doubts(with(held_up_at(2, 0.5))), Lines{}) << "it is slow";
  EXPECT_EQ(doubts(with(held_up_at(6, 0.5))), Lines{}) << "it is not";
  EXPECT_EQ(doubts(with(works(4))), Lines{}) << "it is slow";
  EXPECT_EQ(doubts(with(fails())), Lines{});
}

TEST(Complaints, CompareAPairWithItsKind) {
  const Matrix matrix = filled(fabric(3, 2), [](std::size_t from, std::size_t to) {
    return works(from % 2 == to % 2 ? 10 : 1);
  });
  EXPECT_EQ(complaints(matrix, CrossRail::has_to_work), Lines{});
}

}  // namespace
}  // namespace railgauge::reachability
