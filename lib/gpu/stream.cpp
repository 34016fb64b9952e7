#include "gpu/stream.hpp"

#include <array>
#include <cstdio>
#include <utility>

namespace railgauge::gpu {
namespace {

// HIP has the same.
constexpr unsigned kNonBlockingStream = 1;  // CU_STREAM_NON_BLOCKING
constexpr unsigned kPortableMapped = 3;     // CU_MEMHOSTREGISTER_PORTABLE | DEVICEMAP
constexpr std::size_t kLine = 16;           // bytes that a thread of a kernel takes at once

Address address_in(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

}  // namespace

Stream::Stream(const Device& device, reduce::ElementType type, reduce::Operator op,
               std::uint32_t ranks)
    : Stream(device) {
  kernel_ = device.kernel("combine_" + std::string(reduce::name(type)));
  op_ = op;
  ranks_ = ranks;
  per_thread_ = kLine / reduce::size_bytes(type);
}

Stream::Stream(const Device& device) : driver_(driver()), device_(device), rounds_(kRounds) {
  device.make_current();
  device.check(driver_.create_stream(&stream_, kNonBlockingStream), driver_.create_stream.name);
  for (Round& round : rounds_) {
    device.check(driver_.create_event(&round.begin, 0), driver_.create_event.name);
    device.check(driver_.create_event(&round.end, 0), driver_.create_event.name);
  }
}

/// What hangs may still touch what it was told to: then all of it stays.
Stream::~Stream() {
  if (driver_.set_current(device_.context()) == kSuccess && device_.wait(stream_) != kNotReady) {
    destroy();
  } else {
    std::fprintf(stderr, "railgauge: %s hangs; its stream and its registered memory are left\n",
                 in_words(device_.description()).c_str());
  }
}

void Stream::destroy() noexcept {
  for (const Round& round : rounds_) {
    driver_.destroy_event(round.begin);
    driver_.destroy_event(round.end);
  }
  driver_.destroy_stream(stream_);
  for (const Reached& one : reached_) driver_.unregister_host(one.memory);
}

void Stream::reach(std::span<std::byte> memory) {
  if (memory.empty()) return;
  device_.make_current();
  device_.check(driver_.register_host(memory.data(), memory.size(), kPortableMapped),
                driver_.register_host.name + (" of " + std::to_string(memory.size()) + " bytes"));
  Reached& reached = reached_.emplace_back(Reached{memory.data(), memory.size()});
  device_.check(driver_.host_address(&reached.on_gpu, memory.data(), 0), driver_.host_address.name);
}

/// The same, but for registered memory of the host where the GPU has it elsewhere.
Address Stream::on_gpu(const std::byte* memory) const noexcept {
  for (const Reached& one : reached_) {
    const Address offset = address_in(memory) - address_in(one.memory);
    if (offset < one.bytes) return one.on_gpu + offset;
  }
  return address_in(memory);
}

/// The first failure: others follow from it.
void Stream::keep(Status status, const char* call) noexcept {
  if (status == kSuccess || status_ != kSuccess) return;
  status_ = status;
  failed_call_ = call;
}

Stream::Round* Stream::begin(bool combines) noexcept {
  if (started_ - done_ == kMostUnderWay) finish();
  Round& round = rounds_[started_ % kRounds];
  round.combines = combines;
  round.behind = started_ > done_;
  keep(driver_.set_current(device_.context()), driver_.set_current.name);
  if (!round.behind) keep(driver_.record(round.begin, stream_), driver_.record.name);
  return &round;
}

void Stream::end(const Round& round) noexcept {
  keep(driver_.record(round.end, stream_), driver_.record.name);
  ++started_;
}

void Stream::copy(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  const Round* const round = begin(false);
  keep(driver_.copy_async(address_in(to), address_in(from), bytes, stream_),
       driver_.copy_async.name);
  end(*round);
}

void Stream::combine(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count,
                     bool completes) noexcept {
  if (kernel_ == nullptr) return;
  const bool averages = op_ == reduce::Operator::avg;
  const Round* const round = begin(true);
  Address to = on_gpu(out);
  Address left = on_gpu(a);
  Address right = on_gpu(b);
  Combination how{count, averages && !completes ? reduce::Operator::sum : op_, ranks_};
  std::array<void*, 4> arguments{&to, &left, &right, &how};
  keep(device_.launch(kernel_, count / per_thread_, stream_, arguments.data()),
       driver_.launch.name);
  end(*round);
}

void Stream::finish() noexcept {
  keep(device_.wait(stream_), driver_.stream_query.name);
  (void)done();
}

bool Stream::end_one() noexcept {
  const Round& round = rounds_[done_ % kRounds];
  const Status status = driver_.query(round.end);
  if (status == kNotReady) return false;
  keep(status, driver_.query.name);
  if (failed()) return false;
  count(round);
  ++done_;
  return true;
}

void Stream::count(const Round& round) noexcept {
  const Handle begin = round.behind ? rounds_[(done_ - 1) % kRounds].end : round.begin;
  float milliseconds = 0;
  if (driver_.elapsed_ms(&milliseconds, begin, round.end) != kSuccess) return;
  using Milliseconds = std::chrono::duration<float, std::milli>;
  const auto time =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Milliseconds(milliseconds));
  (round.combines ? busy_.combining : busy_.copying) += time;
}

std::uint64_t Stream::done() noexcept {
  while (done_ < started_ && !failed() && end_one()) {
  }
  return done_;
}

void Stream::see_arrivals() noexcept {
  if (!device_.properties().needs_flush) return;
  keep(driver_.set_current(device_.context()), driver_.set_current.name);
  keep(driver_.flush_remote_writes(device_.properties()), driver_.flush_remote_writes.name);
}

std::string Stream::fault() const {
  try {
    device_.check(status_, failed_call_);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

BusyTime Stream::take_busy_time() {
  return std::exchange(busy_, {});
}

}  // namespace railgauge::gpu
