#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isolation/component.hpp"

namespace railgauge::isolation {

/// Which test passes which components, both ways round. A component has a number here; only those
/// that some test passes have one.
class Incidence {
 public:
  /// Of evidence that symptoms_of() has taken. What is taken from it is copied.
  explicit Incidence(const Evidence& evidence);

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
  /// Whether the same tests pass both, so that no test tells them apart.
  [[nodiscard]] bool alike(std::size_t one, std::size_t other) const;

 private:
  void turn_round();

  std::vector<Component> components_;
  std::vector<std::size_t> first_of_test_{0};
  std::vector<std::uint32_t> of_tests_;
  std::vector<std::size_t> first_of_component_;
  std::vector<std::uint32_t> of_components_;
};

}  // namespace railgauge::isolation
