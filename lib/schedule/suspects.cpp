#include "schedule/suspects.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "schedule/collective.hpp"

namespace railgauge::schedule {
namespace {

/// Which blocks of which ranks hold what was changed.
class Taint {
 public:
  explicit Taint(const Schedule& schedule)
      : schedule_(schedule),
        blocks_(schedule.all_blocks()),
        wrong_(std::size_t{schedule.ranks} * blocks_) {}

  void mark(Rank rank, Block block) { wrong_[place(rank, block)] = true; }

  /// Runs one step: every op reads what was there when the step began.
  void step(const std::vector<Ops>& ops) {
    const std::vector<bool> before = wrong_;
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
      for (const Op& op : ops[rank]) {
        if (op.action == Action::copy) copy(before, rank, op);
        if (!arrives(op.action)) continue;
        const Op* const sent = counterpart(op, ops[rank], rank, ops[op.peer]);
        if (sent != nullptr) arrive(before, *sent, rank, op);
      }
    }
  }

  [[nodiscard]] std::set<Rank> outputs(Block block) const {
    std::set<Rank> ranks;
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
      if (is_output(schedule_, rank, block) && wrong_[place(rank, block)]) ranks.insert(rank);
    }
    return ranks;
  }

 private:
  [[nodiscard]] std::size_t place(Rank rank, Block block) const {
    return std::size_t{rank} * blocks_ + block;
  }

  void copy(const std::vector<bool>& before, Rank rank, const Op& op) {
    const BlockRange from = op.read();
    for (Block i = 0; i < op.blocks.count; ++i)
      wrong_[place(rank, op.blocks.first + i)] = before[place(rank, from.first + i)];
  }

  void arrive(const std::vector<bool>& before, const Op& sent, Rank rank, const Op& op) {
    for (Block i = 0; i < op.blocks.count; ++i) {
      const bool theirs = before[place(op.peer, sent.blocks.first + i)];
      const bool own = op.action == Action::reduce && before[place(rank, op.read().first + i)];
      wrong_[place(rank, op.blocks.first + i)] = theirs || own;
    }
  }

  const Schedule& schedule_;
  Block blocks_;
  std::vector<bool> wrong_;
};

/// A send of the block, or of one that becomes it.
struct Send {
  Step step = 0;
  Edge edge;
  Block taken = 0;  // as the receiver has it
};

class Search {
 public:
  explicit Search(const Schedule& schedule) : schedule_(schedule) {
    for (Step step = 0; step < schedule.steps; ++step) {
      ops_.emplace_back();
      for (Rank rank = 0; rank < schedule.ranks; ++rank)
        ops_.back().push_back(schedule.ops(rank, step));
    }
  }

  [[nodiscard]] std::vector<WrongElement> changed(Step step, Rank to, Block block) const {
    Taint taint(schedule_);
    taint.mark(to, block);
    for (++step; step < schedule_.steps; ++step) taint.step(ops_[step]);
    std::vector<WrongElement> wrong;
    for (Block output = 0; output < schedule_.blocks; ++output) {
      WrongElement element{output, taint.outputs(output)};
      if (!element.at.empty()) wrong.push_back(std::move(element));
    }
    return wrong;
  }

  /// The edges that would have made it wrong there, and nowhere else.
  [[nodiscard]] std::set<Edge> edges_of(const WrongElement& element) {
    std::set<Edge> found;
    for (const auto& [outcome, edges] : outcomes()) {
      if (outcome.first == element.block && outcome.second == element.at)
        found.insert(edges.begin(), edges.end());
    }
    return found;
  }

 private:
  using Outcome = std::pair<Block, std::set<Rank>>;

  /// Of every send and every block of it: which outputs are wrong in the end, and of which edges
  /// that may be.
  const std::map<Outcome, std::set<Edge>>& outcomes() {
    if (outcomes_.empty()) {
      for (const Send& send : sends()) run(send);
    }
    return outcomes_;
  }

  [[nodiscard]] std::vector<Send> sends() const {
    std::vector<Send> all;
    for (Step step = 0; step < schedule_.steps; ++step) {
      for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
        for (const Op& op : ops_[step][rank]) {
          if (!arrives(op.action)) continue;
          for (Block i = 0; i < op.blocks.count; ++i)
            all.push_back({step, {op.peer, rank}, op.blocks.first + i});
        }
      }
    }
    return all;
  }

  void run(const Send& send) {
    for (WrongElement& one : changed(send.step, send.edge.to, send.taken))
      outcomes_[{one.block, std::move(one.at)}].insert(send.edge);
  }

  const Schedule& schedule_;
  std::vector<std::vector<Ops>> ops_;  // [step][rank]
  std::map<Outcome, std::set<Edge>> outcomes_;
};

using EdgesOfElements = std::vector<std::set<Edge>>;

/// How many elements each rank explains by all edges at that end.
std::map<Rank, std::size_t> explained_by_ends(const EdgesOfElements& elements, Rank Edge::*end) {
  std::map<Rank, std::size_t> explained;
  for (const std::set<Edge>& edges : elements) {
    std::set<Rank> ranks;
    for (const Edge& edge : edges) ranks.insert(edge.*end);
    for (const Rank rank : ranks) ++explained[rank];
  }
  return explained;
}

/// If one rank explains more by all of what it sends, or receives, than any edge does and any other
/// rank, it is that.
void widen(Suspects& suspects, const EdgesOfElements& elements) {
  std::size_t most = suspects.explained;
  std::optional<std::pair<Rank Edge::*, Rank>> best;
  for (Rank Edge::*const end : {&Edge::from, &Edge::to}) {
    for (const auto& [rank, count] : explained_by_ends(elements, end)) {
      if (count == most) best.reset();
      if (count > most) best = {end, rank};
      most = std::max(most, count);
    }
  }
  if (!best) return;
  suspects.explained = most;
  (best->first == &Edge::from ? suspects.sender : suspects.receiver) = best->second;
  std::set<Edge> all;
  for (const std::set<Edge>& edges : elements) {
    std::ranges::copy_if(edges, std::inserter(all, all.end()),
                         [&](const Edge& edge) { return edge.*(best->first) == best->second; });
  }
  suspects.edges.assign(all.begin(), all.end());
}

}  // namespace

Suspects suspects_of(const Schedule& schedule, std::span<const WrongElement> elements) {
  Search search(schedule);
  std::map<Edge, std::size_t> explained;
  EdgesOfElements of_elements;
  of_elements.reserve(elements.size());
  for (const WrongElement& element : elements) {
    of_elements.push_back(search.edges_of(element));
    for (const Edge& edge : of_elements.back()) ++explained[edge];
  }
  Suspects suspects;
  suspects.of = elements.size();
  for (const auto& [edge, count] : explained)
    suspects.explained = std::max(suspects.explained, count);
  for (const auto& [edge, count] : explained) {
    if (count == suspects.explained) suspects.edges.push_back(edge);
  }
  widen(suspects, of_elements);
  return suspects;
}

}  // namespace railgauge::schedule
