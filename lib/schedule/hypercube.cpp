#include "schedule/algorithms.hpp"

#include <algorithm>

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// All-to-all dimension by dimension: ranks are the corners of a hypercube, and in each dimension a
// rank hands its neighbour all blocks that have to get to the other side, whoever they are from.
// For any number of ranks the cube is a generalised one (Bhuyan and Agrawal, "Generalized hypercube
// and hyperbus structures for a computer network", IEEE Transactions on Computers 33(4), 1984): as
// many dimensions as the number has prime factors, each as wide as its factor, and every rank in a
// row of a dimension exchanges with every other one there.
//
// Johnsson and Ho, "Optimum broadcasting and personalized communication in hypercubes", IEEE
// Transactions on Computers 38(9), 1989 (the standard exchange).
//
// With the prime factors f of n:
//
//   rounds and messages   sum of f-1 (lower bound ceil(log2 n)): log2 n for powers of two, n-1 for
//                         primes
//   blocks sent           sum of (f-1) n/f (lower bound n-1); qn/2 for n = 2^q
//   depth                 the number of factors

namespace {

struct Dimension {
  Rank width = 2;   // ranks in a row
  Rank stride = 1;  // between two of them that are next to each other

  [[nodiscard]] Rank digit(Rank number) const { return number / stride % width; }
  [[nodiscard]] Rank with_digit(Rank number, Rank digit) const {
    return number - this->digit(number) * stride + digit * stride;
  }
  /// The number among all that have the same digit.
  [[nodiscard]] Rank without_digit(Rank number) const {
    return number / (stride * width) * stride + number % stride;
  }
  /// How far behind us, around the row, the rank with this digit is: 1 to width-1.
  [[nodiscard]] Rank behind(Rank ours, Rank digit) const { return (ours + width - digit) % width; }
  [[nodiscard]] Rank before(Rank ours, Rank by) const { return (ours + width - by) % width; }
  [[nodiscard]] Rank after(Rank ours, Rank by) const { return (ours + by) % width; }
};

/// A block on its way has a position, whose digits are those of its source in the dimensions that
/// it has crossed, and those of its destination in the others. Scratch: two places, by turns, where
/// what is sent is packed, and after them one a dimension where what has arrived stays; in each, a
/// row of blocks for every distance in the dimension.
class Cube {
 public:
  explicit Cube(Rank ranks) : ranks_(ranks) {
    Rank stride = 1;
    for (Rank factor = 2; stride < ranks; ++factor) {
      for (; ranks / stride % factor == 0; stride *= factor) {
        dimensions_.push_back({factor, stride});
        widest_ = std::max(widest_, factor);
      }
    }
  }

  [[nodiscard]] Rank ranks() const { return ranks_; }
  [[nodiscard]] const std::vector<Dimension>& dimensions() const { return dimensions_; }
  [[nodiscard]] Block row(const Dimension& dimension) const { return ranks_ / dimension.width; }
  [[nodiscard]] Block scratch() const {
    return dimensions_.empty() ? 0 : (2 + static_cast<Block>(dimensions_.size())) * place();
  }

  [[nodiscard]] Block packed(std::size_t number, Rank distance) const {
    return 2 * ranks_ + static_cast<Block>(number % 2) * place() +
           (distance - 1) * row(dimensions_[number]);
  }
  [[nodiscard]] Block arrived(std::size_t number, Rank distance) const {
    return 2 * ranks_ + (2 + static_cast<Block>(number)) * place() +
           (distance - 1) * row(dimensions_[number]);
  }
  /// Where the block of this position lies at `rank` after all dimensions before `number`.
  [[nodiscard]] Block before(std::size_t number, Rank rank, Rank position) const {
    for (std::size_t i = number; i-- > 0;) {
      const Dimension& dimension = dimensions_[i];
      const Rank ours = dimension.digit(rank);
      const Rank theirs = dimension.digit(position);
      if (ours == theirs) continue;
      return arrived(i, dimension.behind(ours, theirs)) + dimension.without_digit(position);
    }
    return ranks_ + position;
  }

 private:
  [[nodiscard]] Block place() const { return ranks_ - ranks_ / widest_; }

  Rank ranks_;
  Rank widest_ = 1;
  std::vector<Dimension> dimensions_;
};

void pack(const Cube& cube, std::size_t number, Rank rank, Ops& ops) {
  const Dimension& dimension = cube.dimensions()[number];
  for (Rank position = 0; position < cube.ranks(); ++position) {
    const Rank distance = dimension.behind(dimension.digit(position), dimension.digit(rank));
    if (distance == 0) continue;
    const Block to = cube.packed(number, distance) + dimension.without_digit(position);
    ops.push_back({Action::copy, rank, {to, 1}, cube.before(number, rank, position)});
  }
}

void exchange(const Cube& cube, std::size_t number, Rank rank, Rank distance, Ops& ops) {
  const Dimension& dimension = cube.dimensions()[number];
  const Rank ours = dimension.digit(rank);
  const Block count = cube.row(dimension);
  const Rank to = dimension.with_digit(rank, dimension.after(ours, distance));
  const Rank from = dimension.with_digit(rank, dimension.before(ours, distance));
  ops.push_back({Action::send, to, {cube.packed(number, distance), count}});
  ops.push_back({Action::receive, from, {cube.arrived(number, distance), count}});
}

void unpack(const Cube& cube, Rank rank, Ops& ops) {
  for (Rank source = 0; source < cube.ranks(); ++source) {
    const Block from = cube.before(cube.dimensions().size(), rank, source);
    ops.push_back({Action::copy, rank, {source, 1}, from});
  }
}

Cost cost_of(const Cube& cube) {
  Cost cost;
  cost.depth = cube.dimensions().size();
  for (const Dimension& dimension : cube.dimensions()) {
    cost.rounds += dimension.width - 1;
    cost.blocks_sent += std::uint64_t{dimension.width - 1} * cube.row(dimension);
  }
  cost.messages = cost.rounds;
  cost.blocks_received = cost.blocks_sent;
  return cost;
}

/// A dimension takes a step to pack, and one for every distance in it.
void step_of(const Cube& cube, Rank rank, Step step, Ops& ops) {
  for (std::size_t number = 0; number < cube.dimensions().size(); ++number) {
    const Rank width = cube.dimensions()[number].width;
    if (step == 0) return pack(cube, number, rank, ops);
    if (step < width) return exchange(cube, number, rank, step, ops);
    step -= width;
  }
  unpack(cube, rank, ops);
}

}  // namespace

Schedule hypercube_all_to_all(Rank ranks) {
  at_least_one(ranks);
  const Cube cube(ranks);
  Step steps = 1;
  for (const Dimension& dimension : cube.dimensions()) steps += dimension.width;
  Schedule schedule{"hypercube", Collective::all_to_all, ranks, ranks, steps, cost_of(cube), {}};
  schedule.scratch = cube.scratch();
  schedule.rule = [cube](Rank rank, Step step, Ops& ops) { step_of(cube, rank, step, ops); };
  return schedule;
}

}  // namespace railgauge::schedule
