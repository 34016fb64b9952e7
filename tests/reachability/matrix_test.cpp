#include "reachability/matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "reachability/fabric.hpp"

namespace railgauge::reachability {
namespace {

TEST(Matrix, IsEmptyWhereNobodyWasAsked) {
  const Matrix matrix = filled(fabric(2, 2), [](auto, auto) { return works(); });
  EXPECT_FALSE(matrix.at(0, 1));
  EXPECT_TRUE(matrix.at(0, 2));
}

TEST(Matrix, KeepsTheBestOfSeveralAttempts) {
  Matrix matrix = fabric(2, 1);
  matrix.add(0, 1, works(3));
  matrix.add(0, 1, works(5));
  matrix.add(0, 1, works(4));
  matrix.add(0, 1, fails());
  EXPECT_EQ(matrix.at(0, 1)->gigabytes_per_second, 5);
  EXPECT_TRUE(matrix.at(0, 1)->reached);
}

/// A slow path is as slow in every attempt; one in which its ends ran says that it is the path.
TEST(Matrix, KeepsTheLargestShareOfAttemptsThatAreAsGood) {
  const auto share_after = [](double first, double first_share, double second,
                              double second_share) {
    Matrix matrix = fabric(2, 1);
    for (const auto& [rate, share] : {std::pair{first, first_share}, {second, second_share}}) {
      Reach reach = works(rate);
      reach.ran_share = share;
      matrix.add(0, 1, reach);
    }
    EXPECT_EQ(matrix.at(0, 1)->gigabytes_per_second, std::max(first, second));
    return matrix.at(0, 1)->ran_share;
  };
  EXPECT_EQ(share_after(4, 0.1, 3.8, 0.9), 0.9);
  EXPECT_EQ(share_after(3.8, 0.9, 4, 0.1), 0.9);
  EXPECT_EQ(share_after(4, 0.9, 4, 0.1), 0.9);
  EXPECT_EQ(share_after(4, 0.1, 3, 0.9), 0.1);
  EXPECT_EQ(share_after(3, 0.9, 4, 0.1), 0.1);
}

TEST(Matrix, CountsKindsApart) {
  const Matrix matrix = filled(fabric(2, 2), [](std::size_t from, std::size_t to) {
    if (from % 2 != to % 2) return from == 0 ? fails() : works(4);
    return works(from < to ? 10 : 20);
  });
  const Kind same = kind_of(matrix, true);
  EXPECT_EQ(same.asked, 4);
  EXPECT_EQ(same.reached, 4);
  EXPECT_EQ(same.median_gigabytes_per_second, 15);
  const Kind cross = kind_of(matrix, false);
  EXPECT_EQ(cross.asked, 4);
  EXPECT_EQ(cross.reached, 3);
  EXPECT_EQ(cross.median_gigabytes_per_second, 4);
}

/// Two hosts of one rail with two planes.
Matrix of_planes() {
  Matrix matrix = fabric(2, 2);
  std::vector<Nic> nics = matrix.nics();
  for (Nic& nic : nics) nic.plane = std::exchange(nic.rail, 0);
  return Matrix(std::move(nics));
}

TEST(Matrix, CountsPlanesOfARailApart) {
  const Matrix matrix = filled(of_planes(), [](std::size_t from, std::size_t to) {
    return from % 2 == to % 2 ? works() : fails();
  });
  EXPECT_TRUE(matrix.same_rail(0, 2));
  EXPECT_FALSE(matrix.same_rail(0, 3));
  EXPECT_EQ(kind_of(matrix, true).asked, 4);
  EXPECT_EQ(kind_of(matrix, true).reached, 4);
  EXPECT_EQ(kind_of(matrix, false).reached, 0);
}

TEST(Matrix, NamesPlanesWhereThereAreSeveral) {
  EXPECT_EQ(of_planes().name(3), "host1 rail 0 plane 1 (mlx5_1, 10.1.0.1)");
  EXPECT_EQ(of_planes().name(2), "host1 rail 0 plane 0 (mlx5_0, 10.0.0.1)");
  EXPECT_EQ(fabric(2, 2).name(3), "host1 rail 1 (mlx5_1, 10.1.0.1)");
}

TEST(Matrix, HasNoMedianOfNothing) {
  EXPECT_EQ(kind_of(fabric(2, 1), true).median_gigabytes_per_second, 0);
}

}  // namespace

}  // namespace railgauge::reachability
