#include "pairs/rounds.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace railgauge::pairs {
namespace {

/// The rounds in which a player is taken.
class Diary {
 public:
  static constexpr std::size_t kBits = 64;

  void take(std::size_t round) {
    if (words_.size() <= round / kBits) words_.resize(round / kBits + 1);
    words_[round / kBits] |= std::uint64_t{1} << (round % kBits);
  }

  friend std::size_t first_free(const Diary& one, const Diary& other) {
    for (std::size_t word = 0;; ++word) {
      const std::uint64_t taken = one.word(word) | other.word(word);
      if (~taken != 0) return word * kBits + static_cast<std::size_t>(std::countr_one(taken));
    }
  }

 private:
  [[nodiscard]] std::uint64_t word(std::size_t at) const {
    return at < words_.size() ? words_[at] : 0;
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace

std::vector<Round> round_robin(std::size_t players) {
  if (players < 2) return {};
  const bool even = players % 2 == 0;
  const std::size_t circle = even ? players - 1 : players;
  std::vector<Round> rounds(circle);
  for (std::size_t round = 0; round < circle; ++round) {
    if (even) rounds[round].push_back({round, players - 1});
    for (std::size_t distance = 1; 2 * distance < circle; ++distance)
      rounds[round].push_back({(round + distance) % circle, (round + circle - distance) % circle});
  }
  return rounds;
}

std::vector<Round> rounds_of(const std::vector<Pair>& pairs,
                             const std::vector<std::size_t>& player_of) {
  std::size_t players = 0;
  for (const std::size_t player : player_of) players = std::max(players, player + 1);
  std::vector<Diary> diaries(players);
  std::vector<Round> rounds;
  for (const Pair& pair : pairs) {
    Diary& first = diaries[player_of[pair.first]];
    Diary& second = diaries[player_of[pair.second]];
    const std::size_t round = first_free(first, second);
    first.take(round);
    second.take(round);
    if (rounds.size() <= round) rounds.resize(round + 1);
    rounds[round].push_back(pair);
  }
  return rounds;
}

std::vector<std::vector<std::size_t>> groups_apart(const std::vector<Links>& links_of) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<Links> taken;  // by each group
  for (std::size_t test = 0; test < links_of.size(); ++test) {
    const Links& links = links_of[test];
    const auto fits = [&](const Links& of_group) {
      return std::ranges::none_of(links, [&](const auto& one) { return of_group.contains(one); });
    };
    const auto group = static_cast<std::size_t>(std::ranges::find_if(taken, fits) - taken.begin());
    if (group == groups.size()) {
      groups.emplace_back();
      taken.emplace_back();
    }
    groups[group].push_back(test);
    taken[group].insert(links.begin(), links.end());
  }
  return groups;
}

}  // namespace railgauge::pairs
