#include "experiments/collective/traffic.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace railgauge::runner {
namespace {

/// The largest sum of a row or of a column.
template <class T>
T largest_sum(std::size_t ranks, const std::vector<T>& matrix) {
  T largest{};
  for (std::size_t one = 0; one < ranks; ++one) {
    T sent{};
    T taken{};
    for (std::size_t other = 0; other < ranks; ++other) {
      sent += matrix[one * ranks + other];
      taken += matrix[other * ranks + one];
    }
    largest = std::max({largest, sent, taken});
  }
  return largest;
}

[[noreturn]] void refuse(std::string where, const std::string& word) {
  throw std::invalid_argument(where.append(": '").append(word).append("' is no number from 0 on"));
}

/// The numbers of a line; throws for anything else in it.
std::vector<double> numbers_of(const std::string& line, const std::string& where) {
  std::istringstream words(line);
  std::vector<double> numbers;
  for (std::string word; words >> word;) {
    std::size_t end = 0;
    double value = -1;
    try {
      value = std::stod(word, &end);
    } catch (const std::logic_error&) {
      end = 0;
    }
    if (end != word.size() || !std::isfinite(value) || value < 0) {
      refuse(where, word);
    }
    numbers.push_back(value);
  }
  return numbers;
}

}  // namespace

Blocks::Blocks(std::size_t ranks, std::vector<std::size_t> elements)
    : ranks_(ranks), elements_(std::move(elements)), most_(largest_sum(ranks, elements_)) {}

std::vector<std::size_t> Blocks::from(std::size_t rank) const {
  const auto begin = elements_.begin() + static_cast<std::ptrdiff_t>(rank * ranks_);
  return {begin, begin + static_cast<std::ptrdiff_t>(ranks_)};
}

std::vector<std::size_t> Blocks::to(std::size_t rank) const {
  std::vector<std::size_t> sizes;
  for (std::size_t from = 0; from < ranks_; ++from)
    sizes.push_back(elements_[from * ranks_ + rank]);
  return sizes;
}

Traffic::Traffic(std::size_t ranks, unsigned percent) : ranks_(ranks) {
  std::mt19937_64 random(1);  // NOLINT(cert-msc51-cpp): alike on all ranks and in all runs
  constexpr std::uint64_t kSteps = 2001;
  for (std::size_t i = 0; i < ranks * ranks; ++i) {
    const double part = static_cast<double>(random() % kSteps) / 1000 - 1;  // from -1 to 1
    weights_.push_back(1 + part * percent / 100);
  }
}

Traffic::Traffic(std::size_t ranks, std::istream& matrix, const std::string& name) : ranks_(ranks) {
  std::size_t number = 0;
  for (std::string line; std::getline(matrix, line);) {
    const std::string where = name + ", line " + std::to_string(++number);
    const std::vector<double> row = numbers_of(line, where);
    if (row.empty()) continue;
    if (row.size() != ranks) {
      throw std::invalid_argument(where + " has " + std::to_string(row.size()) + " numbers for " +
                                  std::to_string(ranks) + " ranks");
    }
    weights_.insert(weights_.end(), row.begin(), row.end());
  }
  if (weights_.size() != ranks * ranks) {
    throw std::invalid_argument(name + " has " + std::to_string(weights_.size() / ranks) +
                                " lines of numbers for " + std::to_string(ranks) + " ranks");
  }
  if (largest_sum(ranks, weights_) == 0) throw std::invalid_argument(name + " sends nothing");
}

Blocks Traffic::blocks(std::size_t most) const {
  const double scale = static_cast<double>(most) / largest_sum(ranks_, weights_);
  std::vector<std::size_t> elements;
  for (const double weight : weights_) {
    elements.push_back(static_cast<std::size_t>(weight * scale));
  }
  return {ranks_, std::move(elements)};
}

Traffic load_traffic(std::size_t ranks, const std::string& path) {
  std::ifstream file(path);
  if (file) return {ranks, file, path};
  throw std::system_error(errno, std::generic_category(), "cannot read --matrix '" + path + "'");
}

}  // namespace railgauge::runner
