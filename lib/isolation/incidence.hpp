#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isolation/component.hpp"

namespace railgauge::isolation {

/// Which test passes which components, and the reverse. A component has a number here; only those
/// that some test passes have one.
class Incidence {
 public:
  /// Of evidence that symptoms_of() has taken. What is taken from it is copied. Tests that are
  /// `silent` say nothing, and so pass nothing here. A test that failed passes what its
  /// acknowledgements do, too, unless it is known which of the two was lost; and of a path on which
  /// probes ended what lies behind the last that was answered.
  explicit Incidence(const Evidence& evidence, const std::vector<bool>& silent = {});

  [[nodiscard]] std::size_t tests() const { return first_of_test_.size() - 1; }
  [[nodiscard]] std::size_t components() const { return components_.size(); }
  [[nodiscard]] const Component& component(std::size_t number) const { return components_[number]; }
  /// Numbers of the components that a test passes.
  [[nodiscard]] std::span<const std::uint32_t> passed_by(std::size_t test) const {
    return {of_tests_.data() + first_of_test_[test], of_tests_.data() + first_of_test_[test + 1]};
  }
  /// The tests that pass a component, in order.
  [[nodiscard]] std::span<const std::uint32_t> through(std::size_t number) const {
    return {of_components_.data() + first_of_component_[number],
            of_components_.data() + first_of_component_[number + 1]};
  }
  /// Tests that say nothing, how many components only they pass, and whether any passes that one.
  [[nodiscard]] std::size_t silent_tests() const { return silent_; }
  [[nodiscard]] std::size_t untested() const { return untested_; }
  [[nodiscard]] bool passed_by_silent(const Component& component) const;
  /// Whether a test says nothing: every other passes two NICs.
  [[nodiscard]] bool is_silent(std::size_t test) const { return passed_by(test).empty(); }
  /// Whether the same tests pass both, so that no test tells them apart.
  [[nodiscard]] bool alike(std::size_t one, std::size_t other) const;

 private:
  void turn_round();
  void add_silent(std::vector<std::uint32_t> passed);

  std::vector<Component> components_;
  std::vector<std::size_t> first_of_test_{0};
  std::vector<std::uint32_t> of_tests_;
  std::vector<std::size_t> first_of_component_;
  std::vector<std::uint32_t> of_components_;
  std::size_t silent_ = 0;
  std::size_t untested_ = 0;
  std::vector<Component> passed_by_silent_;
};

}  // namespace railgauge::isolation
