#include "predict/cost_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace railgauge::predict {
namespace {

constexpr std::size_t kTerms = 4;
using Vector = std::array<double, kTerms>;
using Matrix = std::array<Vector, kTerms>;

Vector terms(const Work& work) {
  return {work.steps, work.posts, work.moved_us, work.reduced_bytes};
}

/// Solves for the terms of `chosen` (bits); the others are zero. Empty where they cannot be told
/// apart, or one would be negative. Gauss–Jordan with pivoting; columns are scaled first, since
/// bytes are a million times messages.
std::optional<Vector> solve(Matrix a, Vector b, unsigned chosen) {
  Vector scale{};
  for (std::size_t i = 0; i < kTerms; ++i) scale[i] = a[i][i] > 0 ? 1 / std::sqrt(a[i][i]) : 0;
  for (std::size_t i = 0; i < kTerms; ++i) {
    b[i] *= scale[i];
    for (std::size_t j = 0; j < kTerms; ++j) a[i][j] *= scale[i] * scale[j];
    if ((chosen >> i & 1U) != 0) continue;
    a[i] = {};
    for (Vector& row : a) row[i] = 0;
    a[i][i] = 1;
    b[i] = 0;
  }
  constexpr double kSingular = 1e-9;
  for (std::size_t i = 0; i < kTerms; ++i) {
    std::size_t pivot = i;
    for (std::size_t j = i + 1; j < kTerms; ++j) {
      if (std::abs(a[j][i]) > std::abs(a[pivot][i])) pivot = j;
    }
    if (std::abs(a[pivot][i]) < kSingular) return std::nullopt;
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (std::size_t j = 0; j < kTerms; ++j) {
      if (j == i) continue;
      const double factor = a[j][i] / a[i][i];
      for (std::size_t k = 0; k < kTerms; ++k) a[j][k] -= factor * a[i][k];
      b[j] -= factor * b[i];
    }
  }
  Vector x{};
  for (std::size_t i = 0; i < kTerms; ++i) {
    x[i] = b[i] / a[i][i] * scale[i];
    if (x[i] < 0) return std::nullopt;
  }
  return x;
}

double squared_error(const Vector& x, std::span<const Observation> observations) {
  double sum = 0;
  for (const Observation& seen : observations) {
    const Vector t = terms(seen.work);
    double predicted = 0;
    for (std::size_t i = 0; i < kTerms; ++i) predicted += x[i] * t[i];
    const double error = predicted / seen.time_us - 1;
    sum += error * error;
  }
  return sum;
}

}  // namespace

double predict_us(const CostModel& model, const Work& work) {
  return model.step_us * work.steps + model.post_us * work.posts + model.slowdown * work.moved_us +
         model.us_per_reduced_byte * work.reduced_bytes;
}

CostModel fit(std::span<const Observation> observations) {
  Matrix a{};
  Vector b{};
  for (const Observation& seen : observations) {
    const Vector t = terms(seen.work);
    for (std::size_t i = 0; i < kTerms; ++i) {
      b[i] += t[i] / seen.time_us;
      for (std::size_t j = 0; j < kTerms; ++j) {
        a[i][j] += t[i] * t[j] / (seen.time_us * seen.time_us);
      }
    }
  }
  Vector best{};
  double least = std::numeric_limits<double>::infinity();
  for (unsigned chosen = 1; chosen < 1U << kTerms; ++chosen) {
    const std::optional<Vector> x = solve(a, b, chosen);
    if (!x) continue;
    const double error = squared_error(*x, observations);
    if (error < least) {
      least = error;
      best = *x;
    }
  }
  return {best[0], best[1], best[2], best[3]};
}

double worst_error(const CostModel& model, std::span<const Observation> observations) {
  double worst = 0;
  for (const Observation& seen : observations) {
    worst = std::max(worst, std::abs(predict_us(model, seen.work) / seen.time_us - 1));
  }
  return worst;
}

}  // namespace railgauge::predict
