#include "measure/copy_rate.hpp"

#include <algorithm>
#include <barrier>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

namespace railgauge::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPiece = 1 << 20;  // between two readings of the clock

/// Read and written by one thread, per nanosecond.
double copy_for(std::chrono::milliseconds time, std::byte* to, const std::byte* from,
                std::size_t bytes) {
  const Clock::time_point begin = Clock::now();
  Clock::time_point now = begin;
  double moved = 0;
  for (std::size_t at = 0; now < begin + time; at = at + kPiece < bytes ? at + kPiece : 0) {
    const std::size_t piece = std::min(kPiece, bytes - at);
    std::memcpy(to + at, from + at, piece);
    moved += 2 * static_cast<double>(piece);
    now = Clock::now();
  }
  return moved / std::chrono::duration<double, std::nano>(now - begin).count();
}

}  // namespace

double copy_gigabytes_per_second(unsigned threads, std::size_t bytes,
                                 std::chrono::milliseconds time) {
  std::vector<double> rates(threads);
  std::barrier ready(static_cast<std::ptrdiff_t>(threads));
  std::vector<std::vector<std::byte>> blocks(2 * std::size_t{threads});
  std::vector<std::jthread> workers;
  workers.reserve(threads);
  for (auto& block : blocks) block.reserve(bytes);  // what fails, fails here
  const auto work = [&](std::size_t i) {
    auto& to = blocks[2 * i];
    auto& from = blocks[2 * i + 1];
    to.resize(bytes);  // touched by who uses it, so on its node
    from.resize(bytes);
    ready.arrive_and_wait();
    rates[i] = copy_for(time, to.data(), from.data(), bytes);
  };
  try {
    for (std::size_t i = 0; i < threads; ++i) workers.emplace_back(work, i);
  } catch (...) {  // those that run wait for all
    for (std::size_t i = workers.size(); i < threads; ++i) ready.arrive_and_drop();
    throw;
  }
  workers.clear();
  return std::accumulate(rates.begin(), rates.end(), 0.0);
}

}  // namespace railgauge::measure
