#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "finding/finding.hpp"
#include "measure/histogram.hpp"
#include "results/job.hpp"
#include "workload/job.hpp"

namespace railgauge::runner {

/// Parts of a mix that run at the same time, in ascending order.
using PartSet = std::vector<std::uint32_t>;

/// "train, save"
[[nodiscard]] std::string names_of(const workload::Job& job, const PartSet& parts);

/// How long the parts of a mix take alone and with each other.
class PartTimes {
 public:
  /// The job has to outlive it.
  explicit PartTimes(const workload::Job& job) : job_(job) {}

  /// What is to be measured: each part, and of more than two each pair. All of them are not in it.
  [[nodiscard]] std::vector<PartSet> sets() const;
  [[nodiscard]] PartSet all() const;

  /// A step in which that set ran. `part_us`: of all parts of the job.
  void add(const PartSet& set, const std::vector<double>& part_us);

  /// Of all parts what is known so far: with nothing that has not run. `repetitions` is of the mix.
  [[nodiscard]] std::vector<results::JobPart> parts(const std::vector<unsigned>& repetitions,
                                                    std::uint8_t traffic_class) const;
  /// Parts that take more than `most` times as long in the mix as alone, in one finding. It is only
  /// possible if single steps differ by as much.
  [[nodiscard]] std::optional<finding::Finding> finding(double most) const;

 private:
  [[nodiscard]] const measure::Histogram* times(std::uint32_t part, const PartSet& set) const;
  [[nodiscard]] results::JobFactor factor(std::uint32_t part, const PartSet& set,
                                          const std::string& with) const;

  const workload::Job& job_;
  std::map<std::pair<std::uint32_t, PartSet>, measure::Histogram> times_{};
};

}  // namespace railgauge::runner
