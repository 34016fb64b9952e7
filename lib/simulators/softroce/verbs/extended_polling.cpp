// The extended polling interface: ibv_start_poll() and what reads the current completion.

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "softroce/device/completion_queue.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {

namespace {

CompletionQueue& queue_of(ibv_cq_ex* queue) {
  return *static_cast<CompletionQueue*>(queue);
}
const ibv_wc& current(ibv_cq_ex* queue) {
  return queue_of(queue).current.wc;
}

std::uint64_t nanoseconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000U +
         static_cast<std::uint64_t>(time.tv_nsec);
}

/// steady_clock's stamp as a time of day. The two clocks are not read at the same instant, and the
/// time of day may be set back, so that alone it could run backwards from one completion to the
/// next.
std::uint64_t time_of_day(const CompletionQueue& queue) {
  const std::uint64_t offset = nanoseconds_of(CLOCK_REALTIME) - nanoseconds_of(CLOCK_MONOTONIC);
  return std::max(queue.current_day_ns, offset + queue.current.stamp_ns);
}

int take(CompletionQueue& queue) {
  if (!queue.take(queue.current)) return ENOENT;
  if (queue.tells_time_of_day) queue.current_day_ns = time_of_day(queue);
  queue.wr_id = queue.current.wc.wr_id;
  queue.status = queue.current.wc.status;
  return 0;
}

int start_poll(ibv_cq_ex* verbs, ibv_poll_cq_attr* attributes) {
  if (attributes->comp_mask != 0) return failed(EINVAL);
  CompletionQueue& queue = queue_of(verbs);
  Engine& engine = engine_of(verbs->context);
  Engine::Lock lock(engine);
  if (queue.size() == 0) engine.poll(queue, lock);
  if (queue.broken()) return failed(EIO);
  return take(queue);
}

int next_poll(ibv_cq_ex* verbs) {
  const Engine::Lock lock(engine_of(verbs->context));
  return take(queue_of(verbs));
}

void end_poll(ibv_cq_ex*) {}  // nothing is held between calls

}  // namespace

void set_polling(CompletionQueue& queue, std::uint64_t wc_flags) {
  queue.start_poll = start_poll;
  queue.next_poll = next_poll;
  queue.end_poll = end_poll;
  queue.read_opcode = [](ibv_cq_ex* of) { return current(of).opcode; };
  queue.read_vendor_err = [](ibv_cq_ex* of) { return current(of).vendor_err; };
  queue.read_byte_len = [](ibv_cq_ex* of) { return current(of).byte_len; };
  queue.read_imm_data = [](ibv_cq_ex* of) { return current(of).imm_data; };
  queue.read_qp_num = [](ibv_cq_ex* of) { return current(of).qp_num; };
  queue.read_src_qp = [](ibv_cq_ex* of) { return current(of).src_qp; };
  queue.read_wc_flags = [](ibv_cq_ex* of) { return static_cast<unsigned>(current(of).wc_flags); };
  queue.read_slid = [](ibv_cq_ex* of) { return std::uint32_t{current(of).slid}; };
  queue.read_sl = [](ibv_cq_ex* of) { return current(of).sl; };
  queue.read_dlid_path_bits = [](ibv_cq_ex* of) { return current(of).dlid_path_bits; };
  if ((wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP) != 0) {
    queue.read_completion_ts = [](ibv_cq_ex* of) { return queue_of(of).current.stamp_ns; };
  }
  if ((wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK) != 0) {
    queue.tells_time_of_day = true;
    queue.read_completion_wallclock_ns = [](ibv_cq_ex* of) { return queue_of(of).current_day_ns; };
  }
}

}  // namespace railgauge::softroce
