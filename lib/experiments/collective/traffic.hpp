#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <vector>

namespace railgauge::runner {

/// How many elements every rank has for every other.
class Blocks {
 public:
  /// `elements[from * ranks + to]`.
  Blocks(std::size_t ranks, std::vector<std::size_t> elements);

  [[nodiscard]] std::vector<std::size_t> from(std::size_t rank) const;
  [[nodiscard]] std::vector<std::size_t> to(std::size_t rank) const;
  /// The most that any rank has to send or to take.
  [[nodiscard]] std::size_t most() const { return most_; }

 private:
  std::size_t ranks_;
  std::vector<std::size_t> elements_;
  std::size_t most_ = 0;
};

/// Who sends how much to whom in all-to-all-v, as parts of a whole that is to be chosen.
class Traffic {
 public:
  /// Without ranks: for collectives that do not ask.
  Traffic() = default;
  /// Around an even share, up to `percent` more or less: random, and the same in every run.
  Traffic(std::size_t ranks, unsigned percent);
  /// A line a rank, with what it sends to each: numbers that are not negative, in any unit. Throws
  /// std::invalid_argument, with the line, unless there are as many lines, and numbers in each, as
  /// ranks, and anything at all to send.
  Traffic(std::size_t ranks, std::istream& matrix, const std::string& name);

  /// So much that the rank with most to send or to take has as many elements, or just fewer.
  [[nodiscard]] Blocks blocks(std::size_t most) const;

 private:
  std::size_t ranks_ = 0;
  std::vector<double> weights_;  // as in Blocks
};

/// Reads the matrix of a file. Throws std::system_error if it cannot be read.
[[nodiscard]] Traffic load_traffic(std::size_t ranks, const std::string& path);

}  // namespace railgauge::runner
