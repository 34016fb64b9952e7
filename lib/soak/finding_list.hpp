#pragma once

#include <cstddef>
#include <vector>

#include "finding/finding.hpp"

namespace railgauge::soak {

/// Findings of all windows, those of one cause at one place as one: its windows are counted, and so
/// is what it counts; of another quantity it has the worst. Memory is bounded: beyond `most` an
/// error replaces a finding that is not an error, and nothing else is added.
class FindingList {
 public:
  static constexpr std::size_t kMost = 1000;

  explicit FindingList(std::size_t most = kMost) : most_(most) {}

  void add(const finding::Finding& finding);
  /// In the order in which they were found first.
  [[nodiscard]] const std::vector<finding::Finding>& findings() const { return findings_; }

 private:
  void make_room(finding::Severity severity);

  std::size_t most_;
  std::vector<finding::Finding> findings_;
};

}  // namespace railgauge::soak
