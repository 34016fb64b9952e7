#include "softroce/device/work_queues.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>

#include "softroce/device/context.hpp"
#include "softroce/device/memory_guard.hpp"

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
  return {&elements_[place(request) * elements_each_], request.elements};
}

bool SendQueue::set_elements(std::span<const ibv_sge> elements) {
  SendRequest& request = last_built();
  if (elements.size() > elements_each_) return false;
  request.elements = static_cast<std::uint32_t>(elements.size());
  std::ranges::copy(elements, this->elements(request).begin());
  for (const ibv_sge& element : elements) request.length += element.length;
  return true;
}

int SendQueue::append_inline(const void* data, std::size_t bytes) {
  SendRequest& request = last_built();
  if (request.length + bytes > inline_each_) return ENOMEM;
  std::byte* room = inline_.data() + place(request) * inline_each_;
  if (bytes > 0 && !guarded([&] { std::memcpy(room + request.length, data, bytes); })) {
    return EFAULT;
  }
  request.length += bytes;
  request.elements = 1;
  request.flags |= IBV_SEND_INLINE;
  elements(request)[0] = {reinterpret_cast<std::uintptr_t>(room),
                          static_cast<std::uint32_t>(request.length), 0};
  return 0;
}

bool SendQueue::set_binding(const Binding& binding) try {
  if (bindings_.empty()) bindings_.resize(requests_.size());
  bindings_[place(last_built())] = binding;
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void ReceiveQueue::allocate(std::size_t requests, std::size_t elements) {
  elements_each_ = std::max<std::size_t>(elements, 1);
  ids_.resize(requests);
  counts_.resize(requests);
  elements_.resize(requests * elements_each_);
}

void ReceiveQueue::resize(std::size_t requests) {
  ReceiveQueue larger;
  larger.allocate(requests, elements_each_);
  for (Receive receive; take(receive);) {
    ibv_recv_wr again{};
    again.wr_id = receive.id;
    again.sg_list = receive.storage.data();
    again.num_sge = static_cast<int>(receive.count);
    larger.post(again);
  }
  *this = std::move(larger);
}

int ReceiveQueue::post(const ibv_recv_wr& request) {
  if (size() == capacity()) return ENOMEM;
  if (request.num_sge < 0 || static_cast<std::size_t>(request.num_sge) > elements_each_) {
    return EINVAL;
  }
  const std::size_t place = tail_++ % capacity();
  ids_[place] = request.wr_id;
  counts_[place] = static_cast<std::uint32_t>(request.num_sge);
  std::copy_n(request.sg_list, request.num_sge, &elements_[place * elements_each_]);
  return 0;
}

bool ReceiveQueue::look(Receive& out) const {
  if (head_ == tail_) return false;
  const std::size_t place = head_ % capacity();
  out.id = ids_[place];
  out.count = counts_[place];
  std::copy_n(&elements_[place * elements_each_], out.count, out.storage.begin());
  return true;
}

bool ReceiveQueue::take(Receive& out) {
  if (!look(out)) return false;
  ++head_;
  return true;
}

bool SharedReceiveQueue::take(Receive& out) {
  if (!queue.take(out)) return false;
  if (limit > 0 && queue.size() < limit) {
    limit = 0;
    context_of(context).events.raise(IBV_EVENT_SRQ_LIMIT_REACHED, this);
  }
  return true;
}

}  // namespace railgauge::softroce
