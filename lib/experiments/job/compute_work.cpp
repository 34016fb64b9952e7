#include "experiments/job/compute_work.hpp"

#include <algorithm>
#include <vector>

namespace railgauge::runner {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{32} * 1024;
constexpr std::size_t kCacheLine = 64;

void spin() {
  constexpr int kTurns = 4096;
  for (int turn = 0; turn < kTurns; ++turn) asm volatile("" : : : "memory");
}

}  // namespace

ComputeWork::ComputeWork(Compute kind, std::size_t bytes) {
  if (kind == Compute::sleep) return;
  thread_ = std::thread([this, bytes = kind == Compute::touch ? bytes : 0] { run(bytes); });
}

ComputeWork::~ComputeWork() {
  if (!thread_.joinable()) return;
  leave_ = true;
  ++active_;
  active_.notify_one();
  thread_.join();
}

void ComputeWork::begin() noexcept {
  if (active_.fetch_add(1) == 0) active_.notify_one();
}

void ComputeWork::end() noexcept {
  active_.fetch_sub(1);
}

void ComputeWork::run(std::size_t bytes) noexcept {
  std::vector<std::uint8_t> memory(bytes);  // of the memory node of the processor that it runs on
  std::size_t at = 0;
  while (!leave_) {
    if (active_ == 0) {
      active_.wait(0);
      continue;
    }
    if (memory.empty()) {
      spin();
    } else {
      const std::size_t end = std::min(at + kPieceBytes, memory.size());
      for (; at < end; at += kCacheLine) {
        volatile std::uint8_t& byte = memory[at];
        byte = static_cast<std::uint8_t>(byte + 1);
      }
      if (at >= memory.size()) at = 0;
    }
    pieces_.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace railgauge::runner
