// How fast reductions are on this machine, compared with its memory: prints rates, and does not
// judge them.
//
// usage: reduction_rates [OPERATOR [TYPE|all [MIB [THREADS]]]]     default: sum all 1024 1
//
// MIB is an operand's size for the second table, which should not fit in the caches: several times
// what lscpu calls L3.
//
// A rate is bytes moved, two read and one written, in GB/s of 1e9 bytes: out = a op b, where out is
// a, as in a collective. The yardstick is the same on floats, for vectors of AVX2 or AVX-512 where
// there are (add). "scalar" is the loop over the definition, as the build's options compile it.
// It runs on a sixteenth of the operands, being slow. More than one thread share railgauge's
// reductions, not the yardstick, and time then is the clock's, not the processor's. Every figure is
// the median of repetitions that take turns; a ratio is the median of each repetition's.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
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

// Of processor time: what other programs take of it is not counted, though of memory's bandwidth it
// is.
clockid_t timer = CLOCK_THREAD_CPUTIME_ID;

double now_seconds() {
  timespec time{};
  clock_gettime(timer, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// In GB/s, of `times` runs that move 3 times `bytes` each.
double rate(const Run& run, std::size_t bytes, int times) {
  const double start = now_seconds();
  for (int i = 0; i < times; ++i) run();
  return 3e-9 * static_cast<double>(bytes) * times / (now_seconds() - start);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void measure(ElementType type, Operator op, Operands& operands, int times,
             WorkerPool& worker_pool) {
  const std::size_t bytes = operands.a.size();
  const std::size_t few = bytes / 16;
  const std::size_t size = size_bytes(type);
  const Reduction reduction = reduce::reduction(type, op, 3).shared_by(worker_pool);
  const Kernel scalar = definition(type, op);
  std::byte* a = operands.a.data();
  const std::byte* b = operands.b.data();
  std::vector<double> ours;
  std::vector<double> adds;
  std::vector<double> scalars;
  std::vector<double> ratios;
  for (int repetition = 0; repetition <= kRepetitions; ++repetition) {
    const double own = rate([=] { reduction.complete(a, a, b, bytes / size); }, bytes, times);
    const double add_rate = rate(
        [=] { add(reinterpret_cast<float*>(a), reinterpret_cast<const float*>(b), bytes / 4); },
        bytes, times);
    const double scalar_rate = rate([=] { scalar(a, a, b, few / size, 3); }, few, times);
    if (repetition == 0) continue;  // warms up
    ours.push_back(own);
    adds.push_back(add_rate);
    scalars.push_back(scalar_rate);
    ratios.push_back(own / add_rate);
  }
  std::printf("%-9s %5s %9.2f %9.2f %9.2f %11.2f %14.1f\n", std::string(name(type)).c_str(),
              std::string(name(op)).c_str(), median(ours), median(adds), median(scalars),
              median(ratios), median(ours) / median(scalars));
  std::fflush(stdout);
}

void measure_all(Operator op, std::string_view only, std::size_t bytes, int times,
                 WorkerPool& worker_pool) {
  Operands operands(bytes);
  std::printf("# two operands of %zu KiB\n%-9s %5s %9s %9s %9s %11s %14s\n", bytes >> 10U, "# type",
              "op", "railgauge", "add", "scalar", "of the add", "of the scalar");
  for (const ElementType type : kElementTypes) {
    if (only == "all" || only == name(type)) measure(type, op, operands, times, worker_pool);
  }
}

}  // namespace
}  // namespace railgauge::reduce

int main(int argc, char** argv) {
  namespace reduce = railgauge::reduce;
  const auto op = reduce::reduction_operator(argc > 1 ? argv[1] : "sum");
  const unsigned long threads = argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 1;
  if (!op || argc > 5 || threads < 1) {
    std::fputs("usage: reduction_rates [OPERATOR [TYPE|all [MIB [THREADS]]]]\n", stderr);
    return 2;
  }
  if (threads > 1) reduce::timer = CLOCK_MONOTONIC;
  reduce::WorkerPool worker_pool(static_cast<unsigned>(threads));
  const std::string_view only = argc > 2 ? argv[2] : "all";
  const std::size_t mebibytes = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1024;
  reduce::measure_all(*op, only, std::size_t{256} << 10U, 400, worker_pool);
  reduce::measure_all(*op, only, mebibytes << 20U, 1, worker_pool);
}
