#include "device_fixture.hpp"

#include <poll.h>

#include <algorithm>
#include <array>

namespace railgauge::verbs {

void DeviceTest::SetUp() {
  const std::vector<Port> ports = find_ports();
  const auto usable =
      std::find_if(ports.begin(), ports.end(), [](auto& port) { return port.usable(); });
  if (usable == ports.end()) GTEST_SKIP() << explain_no_usable_port(ports);
  port_ = *usable;
  context_ = open_device(port_.device);
  domain_ = allocate_domain(*context_);
}

LocalSlice End::slice(std::size_t bytes) const {
  return {.data = memory.data(), .bytes = static_cast<std::uint32_t>(bytes), .key = region->lkey};
}

RemoteSlice End::target() const {
  const RemoteMemory remote = remote_memory(*region);
  return {.address = remote.address, .key = remote.key};
}

bool End::wait(std::chrono::milliseconds timeout) {
  pollfd waiting{.fd = queue.fd(), .events = POLLIN, .revents = 0};
  return ::poll(&waiting, 1, static_cast<int>(timeout.count())) > 0 && queue.take_events();
}

Completion End::next() {
  std::array<Completion, 1> completion;
  // Where a peer is dead, seven time-outs of a second are waited out first, and busy machines add
  // to each of the retransmissions in them.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < deadline) {
    if (queue.poll(completion) == 1) return completion[0];
  }
  ADD_FAILURE() << "no completion in a minute";
  return {.status = IBV_WC_GENERAL_ERR};
}

void JoinedTest::SetUp() {
  DeviceTest::SetUp();
  if (IsSkipped()) return;
  left_ = std::make_unique<End>(*context_, *domain_, kBytes);
  right_ = std::make_unique<End>(*context_, *domain_, kBytes);
  join();
}

PendingQueuePair JoinedTest::make_pair(End& end, const QueuePairSettings& settings) {
  return {*domain_, end.queue, end.queue, port_, settings};
}

void JoinedTest::join(const QueuePairSettings& settings) {
  PendingQueuePair left = make_pair(*left_, settings);
  PendingQueuePair right = make_pair(*right_, settings);
  const Address left_address = left.address();
  left_pair_ = std::make_unique<QueuePair>(std::move(left).connect(right.address()));
  right_pair_ = std::make_unique<QueuePair>(std::move(right).connect(left_address));
}

}  // namespace railgauge::verbs
