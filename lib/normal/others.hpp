#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace railgauge::normal {

/// The median; of an even number the mean of the middle two, since half is no majority. There has
/// to be one.
[[nodiscard]] double majority(std::span<const double> values);

/// What each of some values is compared with: the majority of the others.
class Others {
 public:
  explicit Others(std::vector<double> values);

  /// Of all values but that one; 0 if there are no others.
  [[nodiscard]] double of(std::size_t one) const;

 private:
  std::vector<double> values_;
  std::vector<double> sorted_;
};

}  // namespace railgauge::normal
