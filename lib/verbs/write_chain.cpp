#include "verbs/write_chain.hpp"

#include <arpa/inet.h>

namespace railgauge::verbs {

void WriteChain::add(const Write& write, std::optional<std::uint32_t> immediate) noexcept {
  ibv_sge& slice = slices_[count_];
  ibv_send_wr& request = requests_[count_];
  ++count_;
  slice = {.addr = reinterpret_cast<std::uintptr_t>(write.from.data),
           .length = write.from.bytes,
           .lkey = write.from.key};
  request = {};
  request.wr_id = write.id;
  request.sg_list = &slice;
  request.num_sge = write.from.bytes > 0 ? 1 : 0;
  request.opcode = immediate ? IBV_WR_RDMA_WRITE_WITH_IMM : IBV_WR_RDMA_WRITE;
  if (immediate) request.imm_data = htonl(*immediate);
  if (write.signaled) request.send_flags = IBV_SEND_SIGNALED;
  request.wr.rdma.remote_addr = write.to.address;
  request.wr.rdma.rkey = write.to.key;
}

}  // namespace railgauge::verbs
