#include "experiments/collective/geometry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "schedule/algorithms.hpp"

namespace railgauge::runner {
namespace {

using schedule::Block;
using schedule::Collective;
using schedule::Layout;
using schedule::Rank;
using schedule::Schedule;

constexpr unsigned kPercent = 50;  // by which all-to-all-v's blocks differ

/// A size of a collective, in elements, among so many ranks.
struct Case {
  Schedule schedule;
  std::size_t elements = 0;
  std::size_t element_bytes = 0;
  Traffic traffic;

  [[nodiscard]] std::uint64_t bytes() const { return elements * element_bytes; }
  [[nodiscard]] Geometry geometry(Rank rank) const {
    return geometry_of(schedule, rank, bytes(), element_bytes, traffic);
  }
  [[nodiscard]] std::string name() const {
    return std::string(schedule::name(schedule.collective)) + ", " +
           std::to_string(schedule.ranks) + " ranks, " + std::to_string(elements) +
           " elements of " + std::to_string(element_bytes) + " bytes";
  }
};

/// Of these collectives; a few more elements than ranks have whole blocks of 16 bytes, too.
void for_cases(const std::vector<Collective>& collectives,
               const std::function<void(const Case&)>& check) {
  for (const Collective collective : collectives) {
    for (const Rank n : {1U, 2U, 3U, 5U, 6U, 7U, 8U, 12U, 13U}) {
      const Schedule made = schedule::algorithms(collective).front().make({.ranks = n});
      for (const std::size_t elements :
           {0U, 1U, n - 1, n, n + 1, 16 * n - 1, 16 * n, 100 * n + 5}) {
        for (const std::size_t element_bytes : {1U, 2U, 4U, 8U}) {
          const Case one{made, elements, element_bytes, Traffic(n, kPercent)};
          SCOPED_TRACE(one.name());
          check(one);
        }
      }
    }
  }
}

const std::vector kVectors{Collective::all_reduce, Collective::reduce, Collective::broadcast,
                           Collective::sendrecv};
const std::vector kBlocks{Collective::all_gather, Collective::reduce_scatter, Collective::gather,
                          Collective::scatter, Collective::all_to_all};

/// The spans of these blocks lie side by side, from `begin` on. Returns where they end.
std::size_t end_of(const Layout& layout, Block first, Block blocks, std::size_t begin) {
  for (Block block = first; block < first + blocks; ++block) {
    const Layout::Span span = layout.span({block, 1});
    EXPECT_EQ(span.begin, begin) << "block " << block;
    EXPECT_GE(span.end, span.begin) << "block " << block;
    begin = span.end;
  }
  return begin;
}

std::size_t block_size(const Layout& layout, Block block) {
  return layout.span({block, 1}).size();
}

TEST(Geometry, OfOneVectorHasEveryElement) {
  for_cases(kVectors, [](const Case& one) {
    const Geometry geometry = one.geometry(0);
    EXPECT_EQ(geometry.count, one.elements);
    EXPECT_EQ(geometry.size_bytes, one.bytes());
    EXPECT_EQ(geometry.buffer_bytes(one.element_bytes), one.bytes());
  });
}

TEST(Geometry, RoundsSizesDownToWholeElements) {
  const Schedule schedule = schedule::algorithms(Collective::all_reduce).front().make({.ranks = 3});
  const Geometry geometry = geometry_of(schedule, 0, 1003, 4, {});
  EXPECT_EQ(geometry.count, 250U);
  EXPECT_EQ(geometry.size_bytes, 1000U);
}

TEST(Geometry, OfABlockForEachRankHasBlocksOfWhole16Bytes) {
  for_cases(kBlocks, [](const Case& one) {
    const Geometry geometry = one.geometry(0);
    const std::size_t most = one.bytes() / one.schedule.ranks;  // of a block, in bytes
    const std::size_t block_bytes = geometry.count * one.element_bytes;
    EXPECT_EQ(block_bytes % 16, 0U);
    EXPECT_LE(block_bytes, most);
    EXPECT_LT(most, block_bytes + 16);
    EXPECT_EQ(geometry.size_bytes, block_bytes * one.schedule.ranks);
    EXPECT_EQ(geometry.buffer_bytes(one.element_bytes), geometry.size_bytes);
    EXPECT_EQ(one.schedule.blocks, one.schedule.ranks);
    for (Block b = 0; b < one.schedule.blocks; ++b) {
      EXPECT_EQ(block_size(geometry.layout, b), geometry.count);
    }
  });
}

TEST(Geometry, CountsAsNcclTests) {
  // (count / nranks) & -(16 / size of the type), in src/all_gather.cu and the others
  const auto count = [](Collective collective, Rank ranks, std::uint64_t bytes,
                        std::size_t element_bytes) {
    const Schedule schedule = schedule::algorithms(collective).front().make({.ranks = ranks});
    return geometry_of(schedule, 0, bytes, element_bytes, {}).count;
  };
  EXPECT_EQ(count(Collective::all_gather, 3, 1U << 20, 4), 87380U);
  EXPECT_EQ(count(Collective::reduce_scatter, 6, 1000, 2), 80U);
  EXPECT_EQ(count(Collective::all_to_all, 7, 1000, 8), 16U);
  EXPECT_EQ(count(Collective::gather, 2, 31, 1), 0U);
  EXPECT_EQ(count(Collective::scatter, 2, 32, 1), 16U);
  EXPECT_EQ(count(Collective::sendrecv, 2, 1000, 8), 125U);
}

TEST(Geometry, LaysOutEveryElementOnce) {
  std::vector<Collective> collectives = kVectors;
  collectives.insert(collectives.end(), kBlocks.begin(), kBlocks.end());
  for_cases(collectives, [](const Case& one) {
    const Geometry geometry = one.geometry(one.schedule.ranks - 1);
    const Block blocks = one.schedule.blocks;
    const std::size_t output = end_of(geometry.layout, 0, blocks, 0);
    EXPECT_EQ(output, geometry.layout.elements());
    if (!schedule::separate_buffers(one.schedule.collective)) return;
    EXPECT_EQ(end_of(geometry.layout, blocks, blocks, output), 2 * output);
  });
}

TEST(Geometry, IsTheSameOfAllRanksWhereBlocksAreEqual) {
  for_cases(kBlocks, [](const Case& one) {
    const Geometry geometry = one.geometry(0);
    for (Rank rank = 0; rank < one.schedule.ranks; ++rank) {
      EXPECT_EQ(geometry.layout_of(rank).elements(), geometry.layout.elements());
      EXPECT_EQ(one.geometry(rank).size_bytes, geometry.size_bytes);
    }
  });
}

TEST(Geometry, OfABarrierIsOneElementThatDoesNotCount) {
  for_cases({Collective::barrier}, [](const Case& one) {
    const Geometry geometry = one.geometry(0);
    EXPECT_EQ(geometry.size_bytes, 0U);
    EXPECT_EQ(geometry.count, 0U);
    EXPECT_EQ(geometry.layout.elements(), 1U);
    EXPECT_EQ(end_of(geometry.layout, 0, one.schedule.blocks, 0), 1U);
  });
}

TEST(Geometry, OfAllToAllVHasTheSizeOfTheRankWithMost) {
  for_cases({Collective::all_to_all_v}, [](const Case& one) {
    const Block n = one.schedule.blocks;
    std::size_t most = 0;
    for (Rank rank = 0; rank < one.schedule.ranks; ++rank) {
      const Geometry geometry = one.geometry(rank);
      const std::size_t base = geometry.layout.elements();
      const std::size_t taken = end_of(geometry.layout, 0, n, 0);
      const std::size_t sent = end_of(geometry.layout, n, n, base) - base;
      most = std::max({most, taken, sent});
      EXPECT_EQ(geometry.size_bytes, base * one.element_bytes);
      EXPECT_EQ(geometry.count, base / one.schedule.ranks);
    }
    EXPECT_EQ(most, one.geometry(0).layout.elements());
    EXPECT_LE(most, one.elements);
    EXPECT_GE(most + one.schedule.ranks, one.elements);
  });
}

TEST(Geometry, OfAllToAllVHasWhatOneSendsAsWhatAnotherTakes) {
  for_cases({Collective::all_to_all_v}, [](const Case& one) {
    const Geometry geometry = one.geometry(0);
    for (Rank from = 0; from < one.schedule.ranks; ++from) {
      for (Rank to = 0; to < one.schedule.ranks; ++to) {
        EXPECT_EQ(block_size(geometry.layout_of(from), one.schedule.blocks + to),
                  block_size(geometry.layout_of(to), from));
      }
    }
  });
}

TEST(Geometry, KnowsWhereABlockBeginsInTheInputOfItsRank) {
  for (const Collective collective : {Collective::all_gather, Collective::all_to_all,
                                      Collective::all_to_all_v, Collective::sendrecv}) {
    const Schedule made = schedule::algorithms(collective).front().make({.ranks = 5});
    const Geometry geometry = geometry_of(made, 2, 4000, 4, Traffic(5, kPercent));
    for (Block block = 0; block < made.blocks; ++block) {
      const schedule::Place source = schedule::source_of(made, 2, block);
      const Layout theirs = geometry.layout_of(source.rank);
      const bool separate = schedule::separate_buffers(collective);
      std::size_t begin = 0;
      for (Block b = separate ? made.blocks : 0; b < source.block; ++b) {
        begin += block_size(theirs, b);
      }
      EXPECT_EQ(geometry.input_begin(made, source), begin) << made.name << " " << block;
    }
  }
}

}  // namespace
}  // namespace railgauge::runner
