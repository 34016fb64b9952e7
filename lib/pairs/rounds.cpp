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

}  // namespace railgauge::pairs
