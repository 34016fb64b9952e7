#include "verbs/queue_pair.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

#include "verbs/error.hpp"

namespace railgauge::verbs {
namespace {

constexpr int kReceivesAtOnce = 32;  // requests in one chain; they are built on the stack, 1 KiB

ibv_sge as_entry(const LocalSlice& slice) noexcept {
  return {.addr = reinterpret_cast<std::uintptr_t>(slice.data),
          .length = slice.bytes,
          .lkey = slice.key};
}

/// One chain of at most kReceivesAtOnce receives.
int post_chain(ibv_qp& pair, int count, std::uint64_t id, const LocalSlice& into) noexcept {
  std::array<ibv_recv_wr, kReceivesAtOnce> requests;  // only the first `count` are filled
  ibv_sge entry = as_entry(into);
  ibv_sge* const entries = into.bytes > 0 ? &entry : nullptr;
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    requests[at] = {.wr_id = id,
                    .next = i + 1 < count ? &requests[at + 1] : nullptr,
                    .sg_list = entries,
                    .num_sge = into.bytes > 0 ? 1 : 0};
  }
  ibv_recv_wr* refused = nullptr;
  return ibv_post_recv(&pair, requests.data(), &refused);
}

}  // namespace

void WriteChain::add(const Write& write, std::optional<std::uint32_t> immediate) noexcept {
  ibv_sge& slice = slices_[count_];
  ibv_send_wr& request = requests_[count_];
  ++count_;
  slice = as_entry(write.from);
  request = {};
  request.wr_id = write.id;
  request.sg_list = &slice;
  request.num_sge = write.from.bytes > 0 ? 1 : 0;
  request.opcode = immediate ? IBV_WR_RDMA_WRITE_WITH_IMM : IBV_WR_RDMA_WRITE;
  if (immediate) request.imm_data = htonl(*immediate);
  if (write.signaled) request.send_flags = IBV_SEND_SIGNALED;
  if (!write.from.of_device) request.send_flags |= IBV_SEND_INLINE;  // if that is small enough
  request.wr.rdma.remote_addr = write.to.address;
  request.wr.rdma.rkey = write.to.key;
}

int QueuePair::write(const Write& write) noexcept {
  WriteChain one;
  one.add(write, {});
  return post(one);
}

int QueuePair::write_with_immediate(const Write& write, std::uint32_t immediate) noexcept {
  WriteChain one;
  one.add(write, immediate);
  return post(one);
}

int QueuePair::post(WriteChain& chain) noexcept {
  if (chain.empty()) return 0;
  for (std::size_t i = 0; i < chain.count_; ++i) {
    ibv_send_wr& request = chain.requests_[i];
    if (chain.slices_[i].length > inline_bytes_) request.send_flags &= ~unsigned{IBV_SEND_INLINE};
    request.next = i + 1 < chain.count_ ? &chain.requests_[i + 1] : nullptr;
  }
  chain.count_ = 0;
  ibv_send_wr* refused = nullptr;
  return ibv_post_send(raw_.get(), chain.requests_.data(), &refused);
}

int QueuePair::read(const Read& read) noexcept {
  ibv_sge entry = as_entry(read.into);
  ibv_send_wr request{};
  request.wr_id = read.id;
  request.sg_list = &entry;
  request.num_sge = 1;
  request.opcode = IBV_WR_RDMA_READ;
  request.send_flags = IBV_SEND_SIGNALED;
  request.wr.rdma.remote_addr = read.from.address;
  request.wr.rdma.rkey = read.from.key;
  ibv_send_wr* refused = nullptr;
  return ibv_post_send(raw_.get(), &request, &refused);
}

int QueuePair::send(const LocalSlice& from, std::uint64_t id) noexcept {
  ibv_sge entry = as_entry(from);
  ibv_send_wr request{};
  request.wr_id = id;
  request.sg_list = &entry;
  request.num_sge = from.bytes > 0 ? 1 : 0;
  request.opcode = IBV_WR_SEND;
  request.send_flags = IBV_SEND_SIGNALED;
  if (!from.of_device && from.bytes <= inline_bytes_) request.send_flags |= IBV_SEND_INLINE;
  ibv_send_wr* refused = nullptr;
  return ibv_post_send(raw_.get(), &request, &refused);
}

int QueuePair::post_receives(int count, std::uint64_t id) noexcept {
  return post_receives(count, id, {});
}

int QueuePair::post_receives(int count, std::uint64_t id, const LocalSlice& into) noexcept {
  int error = 0;
  for (; count > 0 && error == 0; count -= kReceivesAtOnce) {
    error = post_chain(*raw_, std::min(count, kReceivesAtOnce), id, into);
  }
  return error;
}

std::string_view QueuePair::state() const noexcept {
  ibv_qp_attr attributes{};
  ibv_qp_init_attr unused{};
  const int error = ibv_query_qp(raw_.get(), &attributes, IBV_QP_STATE, &unused);
  return error == 0 ? words(attributes.qp_state) : "not known: the device does not answer";
}

}  // namespace railgauge::verbs
