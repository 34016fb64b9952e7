#pragma once

#include <vector>

#include "doctor/check.hpp"

namespace railgauge::doctor {

/// What a check says of one subject.
struct Result {
  const Check* check = nullptr;
  const Subject* subject = nullptr;
  Answer answer{};
};

/// Judges the answers to one check by each other, as its row wants it. A subject that was fit by
/// itself is odd if its value is not what more than half of its cohort have: all hosts, or all
/// devices of one model. Where no value has a majority nobody is accused: the answer is about the
/// fabric, whose subject is `fabric`. Pure but for `results`.
void compare(std::vector<Result>& results, const Subject& fabric);

}  // namespace railgauge::doctor
