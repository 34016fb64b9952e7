// How fast reductions are on this machine, beside what its memory gives: prints, and judges
// nothing.
//
// usage: reduction_rates [OPERATOR [TYPE|all [MIB]]]     default: sum all 1024
//
// MIB is an operand's size for the second table, which is meant to be out of cache: several times
// what lscpu calls L3.
//
// A rate is bytes moved, two read and one written, in GB/s of 1e9 bytes: out = a op b, where out is
// a, as in a collective. The yardstick is the same on floats, for vectors of AVX2 or AVX-512 where
// there are (add). "scalar" is the loop over the definition, as the build's options compile it.
// Every figure is the median of repetitions that take turns.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reduce/definition.hpp"
#include "reduce/reduction.hpp"

namespace railgauge::reduce {
namespace {

constexpr int kRepetitions = 7;

/// Two operands. Random bits, but no infinities or NaNs among the wide floats, whose arithmetic may
/// be slow.
struct Operands {
  explicit Operands(std::size_t bytes) : a(bytes), b(bytes) {
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < bytes; ++i) {
      state = state * 1664525U + 1013904223U;
      a[i] = std::byte(state >> 24U) & std::byte{0xbf};
      b[i] = std::byte(state >> 16U) & std::byte{0xbf};
    }
  }

  std::vector<std::byte> a;
  std::vector<std::byte> b;
};

#ifdef __x86_64__
[[gnu::target_clones("default", "avx2", "avx512f")]]
#endif
void add(float* out, const float* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] += b[i];
}

using Run = std::function<void()>;

double seconds(const Run& run, int times) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The median rate of each, in GB/s, after one round that does not count.
template <std::size_t kRuns>
std::array<double, kRuns> rates(const std::array<Run, kRuns>& runs, std::size_t bytes, int times) {
  std::array<std::vector<double>, kRuns> found;
  for (int repetition = 0; repetition <= kRepetitions; ++repetition) {
    for (std::size_t i = 0; i < kRuns; ++i) {
      const double rate = 3e-9 * static_cast<double>(bytes) * times / seconds(runs[i], times);
      if (repetition > 0) found[i].push_back(rate);
    }
  }
  std::array<double, kRuns> medians{};
  for (std::size_t i = 0; i < kRuns; ++i) {
    std::ranges::sort(found[i]);
    medians[i] = found[i][kRepetitions / 2];
  }
  return medians;
}

void measure(ElementType type, Operator op, Operands& operands, int times) {
  const std::size_t bytes = operands.a.size();
  const std::size_t count = bytes / size_bytes(type);
  const Reduction reduction = reduce::reduction(type, op, 3);
  const Kernel scalar = definition(type, op);
  std::byte* a = operands.a.data();
  const std::byte* b = operands.b.data();
  const std::array<Run, 3> runs{
      [=] { reduction.complete(a, a, b, count); }, [=] { scalar(a, a, b, count, 3); },
      [=] { add(reinterpret_cast<float*>(a), reinterpret_cast<const float*>(b), bytes / 4); }};
  const auto [vector_rate, scalar_rate, add_rate] = rates(runs, bytes, times);
  std::printf("%-9s %5s %9.2f %9.2f %9.2f %11.2f %14.1f\n", std::string(name(type)).c_str(),
              std::string(name(op)).c_str(), vector_rate, add_rate, scalar_rate,
              vector_rate / add_rate, vector_rate / scalar_rate);
  std::fflush(stdout);
}

void measure_all(Operator op, std::string_view only, std::size_t bytes, int times) {
  Operands operands(bytes);
  std::printf("# two operands of %zu KiB\n%-9s %5s %9s %9s %9s %11s %14s\n", bytes >> 10U, "# type",
              "op", "railgauge", "add", "scalar", "of the add", "of the scalar");
  for (const ElementType type : kElementTypes) {
    if (only == "all" || only == name(type)) measure(type, op, operands, times);
  }
}

}  // namespace
}  // namespace railgauge::reduce

int main(int argc, char** argv) {
  namespace reduce = railgauge::reduce;
  const auto op = reduce::reduction_operator(argc > 1 ? argv[1] : "sum");
  if (!op || argc > 4) {
    std::fputs("usage: reduction_rates [OPERATOR [TYPE|all [MIB]]]\n", stderr);
    return 2;
  }
  const std::string_view only = argc > 2 ? argv[2] : "all";
  const std::size_t mebibytes = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1024;
  reduce::measure_all(*op, only, std::size_t{256} << 10U, 400);
  reduce::measure_all(*op, only, mebibytes << 20U, 1);
}
