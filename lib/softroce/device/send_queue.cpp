#include "softroce/device/send_queue.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace railgauge::softroce {

void SendQueue::allocate(std::size_t requests, std::size_t elements, std::size_t inline_bytes) {
  elements_each_ = std::max<std::size_t>(elements, 1);
  inline_each_ = inline_bytes;
  limit_ = requests;
  requests_.resize(std::bit_ceil(std::max<std::size_t>(requests, 1)));
  elements_.resize(requests_.size() * elements_each_);
  inline_.resize(requests_.size() * inline_each_);
}

SendRequest& SendQueue::build() {
  SendRequest& request = at(built_++);
  request = SendRequest{};
  return request;
}

std::span<ibv_sge> SendQueue::elements(const SendRequest& request) {
  const auto place = static_cast<std::size_t>(&request - requests_.data());
  return {&elements_[place * elements_each_], request.elements};
}

bool SendQueue::set_elements(std::span<const ibv_sge> elements) {
  SendRequest& request = last_built();
  if (elements.size() > elements_each_) return false;
  request.elements = static_cast<std::uint32_t>(elements.size());
  std::ranges::copy(elements, this->elements(request).begin());
  for (const ibv_sge& element : elements) request.length += element.length;
  return true;
}

bool SendQueue::append_inline(const void* data, std::size_t bytes) {
  SendRequest& request = last_built();
  if (request.length + bytes > inline_each_) return false;
  const auto place = static_cast<std::size_t>(&request - requests_.data());
  std::byte* room = inline_.data() + place * inline_each_;
  if (bytes > 0) std::memcpy(room + request.length, data, bytes);
  request.length += bytes;
  request.elements = 1;
  request.flags |= IBV_SEND_INLINE;
  elements(request)[0] = {reinterpret_cast<std::uintptr_t>(room),
                          static_cast<std::uint32_t>(request.length), 0};
  return true;
}

}  // namespace railgauge::softroce
