#include "flow/climb.hpp"

#include <algorithm>

#include "flow/pinger.hpp"

namespace railgauge::flow {

int Climb::begin() {
  begun_ = true;
  return post();
}

int Climb::acknowledged() {
  ++passed_;
  return done() ? 0 : post();
}

int Climb::post() {
  return pair_.write({.from = nic_.slice(Nic::kPayload, kSizes[passed_]), .to = there_, .id = id_});
}

std::uint32_t Climb::packet(std::size_t at) const {
  return std::min(kSizes[at], static_cast<std::uint32_t>(nic_.port().mtu_bytes));
}

std::uint32_t Climb::passed_bytes() const {
  return passed_ == 0 ? Pinger::kBytes : packet(passed_ - 1);
}

std::uint32_t Climb::lost_bytes() const {
  return done() ? passed_bytes() : packet(passed_);
}

}  // namespace railgauge::flow
