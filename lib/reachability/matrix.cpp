#include "reachability/matrix.hpp"

#include <algorithm>
#include <utility>

namespace railgauge::reachability {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

bool better(const Reach& one, const Reach& other) {
  if (one.reached != other.reached) return one.reached;
  return one.gigabytes_per_second > other.gigabytes_per_second;
}

/// A tenth apart at most.
bool alike(const Reach& one, const Reach& other) {
  constexpr double kAlike = 0.9;
  const auto [less, more] = std::minmax(one.gigabytes_per_second, other.gigabytes_per_second);
  return one.reached && other.reached && less >= kAlike * more;
}

}  // namespace

std::string name_of(const Nic& nic, bool planes) {
  const std::string plane = planes ? " plane " + std::to_string(nic.plane) : "";
  return nic.host + " rail " + std::to_string(nic.rail) + plane + " (" + nic.device + ", " +
         nic.address + ")";
}

Matrix::Matrix(std::vector<Nic> nics)
    : nics_(std::move(nics)), cells_(nics_.size() * nics_.size()) {}

bool Matrix::has_planes() const {
  return std::ranges::any_of(nics_, [](const Nic& nic) { return nic.plane > 0; });
}

void Matrix::add(std::size_t from, std::size_t to, const Reach& reach) {
  std::optional<Reach>& cell = cells_[from * nics_.size() + to];
  if (!cell) {
    cell = reach;
    return;
  }
  const double share = alike(reach, *cell) ? std::max(reach.ran_share, cell->ran_share) : 0;
  if (better(reach, *cell)) cell = reach;
  cell->ran_share = std::max(cell->ran_share, share);
}

Kind kind_of(const Matrix& matrix, bool same_rail) {
  Kind kind{.same_rail = same_rail};
  std::vector<double> rates;
  const std::size_t nics = matrix.nics().size();
  for (std::size_t from = 0; from < nics; ++from) {
    for (std::size_t to = 0; to < nics; ++to) {
      const std::optional<Reach>& cell = matrix.at(from, to);
      if (!cell || matrix.same_rail(from, to) != same_rail) continue;
      ++kind.asked;
      if (cell->reached) rates.push_back(cell->gigabytes_per_second);
    }
  }
  kind.reached = static_cast<int>(rates.size());
  kind.median_gigabytes_per_second = median(std::move(rates));
  return kind;
}

}  // namespace railgauge::reachability
