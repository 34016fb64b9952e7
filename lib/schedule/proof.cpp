#include "schedule/proof.hpp"

#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace railgauge::schedule {
namespace {

/// The sum, modulo 2^64, of what stands for each input that a block is made of: one that is missing
/// or there twice makes another sum. A wrong one is right by accident in one of 2^64 cases.
using Sum = std::uint64_t;

/// What stands for an input: the output function of SplitMix64 (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014).
Sum token(std::uint64_t input) {
  std::uint64_t z = (input + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

struct Flaw : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class... Words>
[[noreturn]] void flaw(const Words&... words) {
  std::ostringstream sentence;
  (sentence << ... << words);
  throw Flaw(sentence.str());
}

std::string text(const BlockRange& blocks) {
  if (blocks.count == 1) return "block " + std::to_string(blocks.first);
  return "blocks " + std::to_string(blocks.first) + "-" + std::to_string(blocks.end() - 1);
}

class Run {
 public:
  explicit Run(const Schedule& schedule)
      : schedule_(schedule),
        blocks_(schedule.blocks),
        cells_(std::size_t{schedule.ranks} * schedule.blocks) {
    for (Rank rank = 0; rank < schedule.ranks; ++rank) {
      for (Block block = 0; block < blocks_; ++block) {
        if (is_input(schedule.collective, rank, block)) {
          cell(rank, block) = {token(number(rank, block)), true, false};
        }
      }
    }
  }

  void step(Step step) {
    collect(step);
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) check_overlaps(step, rank);
    std::vector<std::pair<Cell*, Cell>> writes;
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) apply(step, rank, writes);
    check_all_taken(step);
    for (const auto& [to, value] : writes) *to = value;
  }

  void check_outputs() {
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
      for (Block block = 0; block < blocks_; ++block) {
        if (is_output(schedule_.collective, rank, block)) check_output(rank, block);
      }
    }
  }

 private:
  struct Cell {
    Sum sum = 0;
    bool there = false;
    bool written = false;
  };

  [[nodiscard]] std::uint64_t number(Rank rank, Block block) const {
    return std::uint64_t{rank} * blocks_ + block;
  }
  Cell& cell(Rank rank, Block block) { return cells_[number(rank, block)]; }

  void collect(Step step) {
    ops_.assign(schedule_.ranks, {});
    taken_.assign(schedule_.ranks, {});
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
      schedule_.rule(rank, step, ops_[rank]);
      taken_[rank].assign(ops_[rank].size(), false);
      for (const Op& op : ops_[rank]) check_bounds(step, rank, op);
    }
  }

  void check_bounds(Step step, Rank rank, const Op& op) const {
    const bool itself = op.peer == rank;
    if (op.peer >= schedule_.ranks || itself != (op.action == Action::copy)) {
      flaw("step ", step, ", rank ", rank, ": rank ", op.peer, " cannot be its peer");
    }
    if (op.blocks.count == 0 || op.blocks.end() > blocks_ || op.blocks.end() < op.blocks.first) {
      flaw("step ", step, ", rank ", rank, ": ", text(op.blocks), " of ", blocks_, " do not exist");
    }
  }

  void check_overlaps(Step step, Rank rank) const {
    const Ops& ops = ops_[rank];
    for (std::size_t i = 0; i < ops.size(); ++i) {
      for (std::size_t j = i + 1; j < ops.size(); ++j) {
        const bool only_reads = ops[i].action == Action::send && ops[j].action == Action::send;
        if (only_reads || !overlap(ops[i].blocks, ops[j].blocks)) continue;
        flaw("step ", step, ", rank ", rank, ": two ops touch ", text(ops[j].blocks),
             " and one of them writes it");
      }
    }
  }

  /// The peer's first send to `rank` that no earlier op of `rank` has taken.
  const Op& matching_send(Step step, Rank rank, const Op& arrival) {
    const Ops& theirs = ops_[arrival.peer];
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      const bool ours = theirs[i].action == Action::send && theirs[i].peer == rank;
      if (!ours || taken_[arrival.peer][i]) continue;
      if (theirs[i].blocks.count != arrival.blocks.count) {
        flaw("step ", step, ", rank ", rank, ": takes ", text(arrival.blocks), " but rank ",
             arrival.peer, " sends ", text(theirs[i].blocks));
      }
      taken_[arrival.peer][i] = true;
      return theirs[i];
    }
    flaw("step ", step, ", rank ", rank, ": waits for ", text(arrival.blocks), " that rank ",
         arrival.peer, " does not send");
  }

  void apply(Step step, Rank rank, std::vector<std::pair<Cell*, Cell>>& writes) {
    for (const Op& op : ops_[rank]) {
      if (op.action == Action::send) continue;
      const bool copies = op.action == Action::copy;
      const Block from = copies ? op.blocks.first : matching_send(step, rank, op).blocks.first;
      for (Block i = 0; i < op.blocks.count; ++i) {
        Sum sum = held(step, copies ? rank : op.peer, from + i);
        if (op.action == Action::reduce) sum += held(step, rank, op.blocks.first + i);
        writes.emplace_back(&cell(rank, op.blocks.first + i), Cell{sum, true, true});
      }
    }
  }

  Sum held(Step step, Rank rank, Block block) {
    const Cell& held = cell(rank, block);
    if (!held.there) {
      flaw("step ", step, ", rank ", rank, ": uses block ", block, ", which it does not have yet");
    }
    return held.sum;
  }

  void check_all_taken(Step step) const {
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
      for (std::size_t i = 0; i < ops_[rank].size(); ++i) {
        const Op& op = ops_[rank][i];
        if (op.action != Action::send || taken_[rank][i]) continue;
        flaw("step ", step, ", rank ", rank, ": sends ", text(op.blocks), " that rank ", op.peer,
             " does not take");
      }
    }
  }

  void check_output(Rank rank, Block block) {
    const Cell& result = cell(rank, block);
    if (!result.written) flaw("rank ", rank, " never writes block ", block, " of its output");
    const Sum wanted = wanted_sum(block);
    if (result.sum == wanted) return;
    for (Rank input = 0; input < schedule_.ranks; ++input) {
      const Sum one = token(number(input, block));
      if (wanted - result.sum == one) flaw_of(rank, block, input, 0);
      if (result.sum - wanted == one) flaw_of(rank, block, input, 2);
    }
    flaw("rank ", rank, " ends with block ", block, " made of other inputs than it has to be");
  }

  [[noreturn]] static void flaw_of(Rank rank, Block block, Rank input, int times) {
    flaw("rank ", rank, " ends with block ", block, " holding the input of rank ", input, " ",
         times, " times");
  }

  [[nodiscard]] Sum wanted_sum(Block block) const {
    if (!reduces(schedule_.collective)) return token(number(block, block));
    Sum all = 0;
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) all += token(number(rank, block));
    return all;
  }

  const Schedule& schedule_;
  Block blocks_;
  std::vector<Cell> cells_;               // [rank][block]
  std::vector<Ops> ops_;                  // of the step at hand
  std::vector<std::vector<bool>> taken_;  // which sends of the step found their arrival
};

}  // namespace

std::optional<std::string> disproof(const Schedule& schedule) {
  try {
    Run run(schedule);
    for (Step step = 0; step < schedule.steps; ++step) run.step(step);
    run.check_outputs();
    return std::nullopt;
  } catch (const Flaw& found) {
    return found.what();
  }
}

}  // namespace railgauge::schedule
