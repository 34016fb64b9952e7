#include "schedule/proof.hpp"

#include <algorithm>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

namespace railgauge::schedule {
namespace {

/// What stands for an input: the output function of SplitMix64 (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014).
std::uint64_t token(std::uint64_t input) {
  std::uint64_t z = (input + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// What a block is made of: the sum, modulo 2^64, of what stands for each input. One that is
/// missing or there twice makes another sum. A wrong one is right by accident in one of 2^64 cases.
struct Sum {
  std::uint64_t value = 0;

  static Sum of(std::uint64_t input, std::uint64_t) { return {token(input)}; }
  Sum& operator+=(const Sum& other) {
    value += other.value;
    return *this;
  }
  friend bool operator==(const Sum&, const Sum&) = default;
};

/// The same where it does not matter how often an input is there: of a barrier.
struct Set {
  std::vector<bool> holds;

  static Set of(std::uint64_t input, std::uint64_t inputs) {
    Set one{std::vector<bool>(inputs)};
    one.holds[input] = true;
    return one;
  }
  Set& operator+=(const Set& other) {
    for (std::size_t i = 0; i < holds.size(); ++i) holds[i] = holds[i] || other.holds[i];
    return *this;
  }
  friend bool operator==(const Set&, const Set&) = default;
};

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

template <class Content>
class Run {
 public:
  explicit Run(const Schedule& schedule)
      : schedule_(schedule),
        blocks_(schedule.all_blocks()),
        cells_(std::size_t{schedule.ranks} * blocks_) {
    for (Rank rank = 0; rank < schedule.ranks; ++rank) {
      for (Block block = 0; block < blocks_; ++block) {
        if (is_input(schedule, rank, block)) cell(rank, block) = {input(rank, block), true, false};
      }
    }
  }

  void step(Step step) {
    collect(step);
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) check_overlaps(step, rank);
    writes_.clear();
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) apply(step, rank);
    check_all_taken(step);
    for (auto& [to, value] : writes_) *to = std::move(value);
  }

  void check_outputs() {
    if (reduces(schedule_.collective)) combine_inputs();
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
      for (Block block = 0; block < schedule_.blocks; ++block) {
        if (is_output(schedule_, rank, block)) check_output(rank, block);
      }
    }
  }

 private:
  struct Cell {
    Content content;
    bool there = false;
    bool written = false;
  };

  [[nodiscard]] std::uint64_t number(Rank rank, Block block) const {
    return std::uint64_t{rank} * blocks_ + block;
  }
  Cell& cell(Rank rank, Block block) { return cells_[number(rank, block)]; }
  [[nodiscard]] Content input(Rank rank, Block block) const {
    return Content::of(number(rank, block), cells_.size());
  }

  void collect(Step step) {
    ops_.resize(schedule_.ranks);
    taken_.resize(schedule_.ranks);
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
      ops_[rank].clear();
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
    check_range(step, rank, op.blocks);
    if (op.action != Action::receive) check_range(step, rank, op.read());
    if (op.action == Action::send || !separate_buffers(schedule_.collective)) return;
    if (overlap(op.blocks, {schedule_.blocks, schedule_.blocks})) {
      flaw("step ", step, ", rank ", rank, ": writes ", text(op.blocks), ", which are its input");
    }
  }

  /// A range exists, and lies in one buffer: in the output, in the input or in scratch.
  void check_range(Step step, Rank rank, const BlockRange& range) const {
    if (range.count == 0 || range.end() > blocks_ || range.end() < range.first) {
      flaw("step ", step, ", rank ", rank, ": ", text(range), " of ", blocks_, " do not exist");
    }
    for (const Block edge : {schedule_.blocks, schedule_.first_scratch()}) {
      if (range.first < edge && range.end() > edge) {
        flaw("step ", step, ", rank ", rank, ": ", text(range), " lie in two buffers");
      }
    }
  }

  struct Touched {
    BlockRange range;
    bool written = false;
  };

  /// In order of blocks, whatever begins before the end of what was written, or is written before
  /// the end of what was touched, overlaps.
  void check_overlaps(Step step, Rank rank) {
    touched_.clear();
    for (const Op& op : ops_[rank]) {
      touched_.push_back({op.blocks, op.action != Action::send});
      if (op.from != kSame) touched_.push_back({op.read(), false});
    }
    std::ranges::sort(touched_, {}, [](const Touched& touched) { return touched.range.first; });
    Block written_until = 0;
    Block touched_until = 0;
    for (const Touched& touched : touched_) {
      if (touched.range.first < (touched.written ? touched_until : written_until)) {
        flaw("step ", step, ", rank ", rank, ": two ops touch ", text(touched.range),
             " and one of them writes it");
      }
      touched_until = std::max(touched_until, touched.range.end());
      if (touched.written) written_until = std::max(written_until, touched.range.end());
    }
  }

  /// The peer's first send to `rank` that no earlier op of `rank` has taken.
  const Op& matching_send(Step step, Rank rank, const Op& arrival) {
    const Ops& theirs = ops_[arrival.peer];
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      const bool ours = theirs[i].action == Action::send && theirs[i].peer == rank &&
                        theirs[i].channel == arrival.channel;
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

  void apply(Step step, Rank rank) {
    for (const Op& op : ops_[rank]) {
      if (op.action == Action::send) continue;
      const Block from =
          op.action == Action::copy ? op.read().first : matching_send(step, rank, op).blocks.first;
      for (Block i = 0; i < op.blocks.count; ++i) {
        Content content = held(step, op.peer, from + i);
        if (op.action == Action::reduce) content += held(step, rank, op.read().first + i);
        writes_.emplace_back(&cell(rank, op.blocks.first + i),
                             Cell{std::move(content), true, true});
      }
    }
  }

  const Content& held(Step step, Rank rank, Block block) {
    const Cell& held = cell(rank, block);
    if (!held.there) {
      flaw("step ", step, ", rank ", rank, ": uses block ", block, ", which it does not have yet");
    }
    return held.content;
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
    if (result.content == wanted(rank, block)) return;
    if constexpr (std::is_same_v<Content, Sum>) check_for_one_input(rank, block, result.content);
    flaw("rank ", rank, " ends with block ", block, " made of other inputs than it has to be");
  }

  /// The likeliest flaw: one input is missing, or there twice.
  void check_for_one_input(Rank rank, Block block, const Sum& found) {
    if (!reduces(schedule_.collective)) return;
    const std::uint64_t more = found.value - wanted(rank, block).value;
    for (Rank of = 0; of < schedule_.ranks; ++of) {
      const std::uint64_t one = input(of, block).value;
      if (more == one) flaw_of(rank, block, of, 2);
      if (more + one == 0) flaw_of(rank, block, of, 0);
    }
  }

  [[noreturn]] static void flaw_of(Rank rank, Block block, Rank of, int times) {
    flaw("rank ", rank, " ends with block ", block, " holding the input of rank ", of, " ", times,
         " times");
  }

  void combine_inputs() {
    for (Block block = 0; block < schedule_.blocks; ++block) {
      Content& all = combined_.emplace_back(input(0, block));
      for (Rank of = 1; of < schedule_.ranks; ++of) all += input(of, block);
    }
  }

  [[nodiscard]] Content wanted(Rank rank, Block block) const {
    if (reduces(schedule_.collective)) return combined_[block];
    const Place source = source_of(schedule_, rank, block);
    return input(source.rank, source.block);
  }

  const Schedule& schedule_;
  Block blocks_;
  std::vector<Cell> cells_;               // [rank][block]
  std::vector<Content> combined_;         // [block] all ranks' inputs, if that is wanted
  std::vector<Ops> ops_;                  // of the step at hand
  std::vector<std::vector<bool>> taken_;  // which sends of the step found their arrival
  std::vector<Touched> touched_;          // by the rank at hand
  std::vector<std::pair<Cell*, Cell>> writes_;
};

template <class Content>
std::optional<std::string> disproof_by(const Schedule& schedule) {
  try {
    Run<Content> run(schedule);
    for (Step step = 0; step < schedule.steps; ++step) run.step(step);
    run.check_outputs();
    return std::nullopt;
  } catch (const Flaw& found) {
    return found.what();
  }
}

}  // namespace

std::optional<std::string> disproof(const Schedule& schedule) {
  const bool repeatedly = traits(schedule.collective).combining == Combining::repeatedly;
  return repeatedly ? disproof_by<Set>(schedule) : disproof_by<Sum>(schedule);
}

}  // namespace railgauge::schedule
